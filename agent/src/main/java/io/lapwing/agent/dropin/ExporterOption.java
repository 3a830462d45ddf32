package io.lapwing.agent.dropin;

import io.lapwing.common.config.SpellingHint;
import io.lapwing.table.CsvTable;
import io.lapwing.table.CsvTable.Row;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A flag or variable of dcgm-exporter: {@code dcgm-exporter-options.csv}.
 *
 * @param flag without dashes; empty for a variable only
 * @param alias a short flag, or empty
 * @param variable empty for a flag only
 * @param takes its valid values
 * @param ours the key of Lapwing's option, or empty
 * @param note what differs, why it is not needed, or what to do; may be empty for an option
 */
record ExporterOption(
    String flag,
    String alias,
    String variable,
    Takes takes,
    Answer answer,
    String ours,
    Conversion conversion,
    String note) {

  private static final List<ExporterOption> ALL =
      CsvTable.read(ExporterOption.class, "dcgm-exporter-options.csv").stream()
          .map(ExporterOption::of)
          .toList();

  private static final Set<String> PATHS =
      Set.of("gpu.fields", "jobs.mapping-dir", "jobs.pod-resources", "web.config.file");

  enum Answer {
    OPTION("differs"),
    ALWAYS("always so"),
    UNNEEDED("not needed"),
    UNSUPPORTED("not supported");

    private final String text;

    Answer(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static ExporterOption of(Row row) {
    String conversion = row.text("conversion");
    return new ExporterOption(
        row.text("flag"),
        row.text("alias"),
        row.text("variable"),
        new Takes(row.text("takes")),
        Answer.valueOf(row.text("answer").toUpperCase(Locale.ROOT)),
        row.text("ours"),
        conversion.isEmpty() ? Conversion.NOTE : Conversion.named(conversion),
        row.text("note"));
  }

  boolean isSwitch() {
    return takes.isSwitch();
  }

  /** Whether the value is a file or folder that Lapwing reads. */
  boolean isPath() {
    return PATHS.contains(ours);
  }

  static List<ExporterOption> all() {
    return ALL;
  }

  /** By a flag or its short form, without dashes. */
  static Optional<ExporterOption> ofFlag(String name) {
    return ALL.stream()
        .filter(one -> !name.isEmpty() && (one.flag.equals(name) || one.alias.equals(name)))
        .findFirst();
  }

  static Optional<ExporterOption> ofVariable(String name) {
    return ALL.stream().filter(one -> !name.isEmpty() && one.variable.equals(name)).findFirst();
  }

  /** {@code "; did you mean --collectors?"}, or an empty text. */
  static String hint(String word) {
    return SpellingHint.of(
        word,
        ALL.stream()
            .flatMap(one -> Stream.of("--" + one.flag, one.variable))
            .filter(name -> name.length() > 2)
            .map(Objects::requireNonNull)
            .toList());
  }
}
