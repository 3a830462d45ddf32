package io.lapwing.agent.names;

import io.lapwing.gpu.DcgmNames;
import io.lapwing.gpu.DcgmNames.Rename;
import java.util.function.Predicate;

/** {@code alert-rules/names}: recording rules of the table of names. */
final class NameRules {

  private static final String HEADER =
      """
      # For nodes with NVIDIA's dcgm-exporter %s: records its families under the %s names too, so that rules and
      # dashboards with those names work. Load this file or the other one of this folder, never both: each would record what the other does.
      # Labels stay as they are scraped. Targets that are Lapwing are left out: --gpu.names serves both names there.
      # Written from the table of names by a test; see docs/migrating.md.
      groups:
      """;

  private final StringBuilder file = new StringBuilder();
  private final boolean classic;

  private NameRules(boolean classic) {
    this.classic = classic;
  }

  /** Records the classic names of those since 4.9. */
  static String classicFromNew() {
    return new NameRules(true).all("4.9 and later", "classic");
  }

  /** Records the names since 4.9 of the classic ones. */
  static String newFromClassic() {
    return new NameRules(false).all("up to 4.8", "4.9");
  }

  private String all(String release, String names) {
    file.append(HEADER.formatted(release, names));
    String group = "lapwing-names-" + (classic ? "classic" : "4-9");
    group(group + "-same-unit", rename -> rename.scale().isEmpty());
    file.append('\n');
    group(group + "-other-unit", rename -> rename.scale().isPresent());
    return file.toString();
  }

  private void group(String name, Predicate<Rename> which) {
    file.append("  - name: ").append(name).append("\n    rules:\n");
    DcgmNames.SHIPPED.all().stream().filter(which).forEach(this::rule);
  }

  private void rule(Rename rename) {
    String record = classic ? rename.classic() : rename.name();
    String scraped = classic ? rename.name() : rename.classic();
    String factor =
        rename.scale().map(scale -> " " + (classic ? scale.inverse() : scale)).orElse("");
    file.append("      - record: ")
        .append(record)
        .append("\n        expr: ")
        .append(value(rename, scraped + factor))
        .append(" unless on (cluster, instance, job) lapwing_build_info\n");
  }

  /** Classic percents are whole; 0.57 * 100 is a little less than 57. */
  private String value(Rename rename, String converted) {
    boolean percent = classic && rename.scale().isPresent() && rename.name().endsWith("_RATIO");
    return percent ? "round(" + converted + ")" : converted;
  }
}
