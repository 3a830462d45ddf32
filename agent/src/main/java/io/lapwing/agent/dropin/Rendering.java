package io.lapwing.agent.dropin;

import io.lapwing.agent.dropin.Input.Form;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.text.PlainText;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lapwing's settings as a file, with the differences as comments. */
final class Rendering {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_/][A-Za-z0-9_./@+-]*");

  /** What the chart mounts with host.slurm. */
  private static final String SLURM = "/run/slurm";

  private Rendering() {}

  static String of(Path file, Input input, Equivalent equivalent) {
    Form form = input.form();
    StringBuilder text = new StringBuilder();
    comment(text, file + " as " + name(form));
    equivalent.remarks().forEach(remark -> comment(text, remark.toString()));
    comment(text, "What differs on every node: docs/migrating.md");
    Map<String, String> options = new LinkedHashMap<>(equivalent.options());
    if (form == Form.VALUES) {
      values(text, options);
      sections(text, input.found().values());
    } else {
      options.forEach((key, value) -> text.append(line(form, key, value)).append('\n'));
    }
    return text.toString();
  }

  private static void comment(StringBuilder text, String line) {
    text.append("# ").append(PlainText.of(line)).append('\n');
  }

  private static String name(Form form) {
    return switch (form) {
      case FILE -> "/etc/lapwing/lapwing.yml";
      case FLAGS -> "flags of lapwing agent";
      case VARIABLES -> "variables of lapwing agent, such as /etc/default/lapwing";
      case VALUES -> "values of Lapwing's chart";
    };
  }

  private static String line(Form form, String key, String value) {
    return switch (form) {
      case FLAGS -> "--" + key + "=" + shell(value);
      case VARIABLES -> variable(key) + "=" + yaml(value);
      case FILE, VALUES -> key + ": " + yaml(value);
    };
  }

  /** {@code LAPWING_GPU_NAMES} of {@code gpu.names}. */
  static String variable(String key) {
    return "LAPWING_" + key.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
  }

  /** The chart sets the address by its port. */
  private static void values(StringBuilder text, Map<String, String> options) {
    ListenAddress.parse(options.getOrDefault("web.listen-address", ""))
        .ifPresent(address -> text.append("port: ").append(address.port()).append('\n'));
    options.remove("web.listen-address");
    mappingDir(text, options.getOrDefault("jobs.mapping-dir", ""));
    if (!options.isEmpty()) {
      text.append("config:\n");
      text.append(
          options.entrySet().stream()
              .map(one -> "  " + line(Form.VALUES, one.getKey(), one.getValue()) + "\n")
              .collect(Collectors.joining()));
    }
  }

  /** The agent in a container sees only what the chart mounts. */
  private static void mappingDir(StringBuilder text, String dir) {
    if (dir.equals(SLURM) || dir.startsWith(SLURM + "/")) {
      text.append("host:\n  slurm: true\n");
    } else if (!dir.isEmpty()) {
      comment(text, "mount " + dir + " read-only, by extraVolumes and extraVolumeMounts");
    }
  }

  static String yaml(String value) {
    return PLAIN.matcher(value).matches() ? value : quoted(value);
  }

  static String quoted(String value) {
    return '"' + PlainText.of(value).replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** {@code service.enabled} and the like, below their sections. */
  private static void sections(StringBuilder text, Map<String, String> values) {
    String section = "";
    for (Map.Entry<String, String> one : values.entrySet()) {
      String[] key = one.getKey().split("\\.", 2);
      if (!key[0].equals(section)) {
        text.append(key[0]).append(":\n");
        section = key[0];
      }
      text.append("  ").append(key[1]).append(": ").append(one.getValue()).append('\n');
    }
  }

  private static String shell(String value) {
    return value.matches("[A-Za-z0-9_./@:,+=\\[\\]-]*")
        ? value
        : "'" + PlainText.of(value).replace("'", "'\\''") + "'";
  }
}
