package io.lapwing.agent.dropin;

import io.lapwing.agent.dropin.Input.Form;
import io.lapwing.common.text.PlainText;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lapwing's settings as a file, with the differences as comments. */
final class Rendering {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_/][A-Za-z0-9_./@+-]*");
  private static final Pattern PORT = Pattern.compile("(?:0\\.0\\.0\\.0|\\[::])?:([0-9]{1,5})");

  /** What the chart mounts with host.slurm. */
  private static final String SLURM = "/run/slurm";

  private Rendering() {}

  static String of(Path file, Form form, Equivalent equivalent) {
    StringBuilder text = new StringBuilder();
    comment(text, file + " as " + name(form));
    equivalent.remarks().forEach(remark -> comment(text, remark.toString()));
    comment(text, "What differs on every node: docs/migrating.md");
    Map<String, String> options = new LinkedHashMap<>(equivalent.options());
    if (form == Form.VALUES) {
      values(text, options);
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
    Matcher port = PORT.matcher(options.getOrDefault("web.listen-address", ""));
    if (port.matches()) {
      text.append("port: ").append(port.group(1)).append('\n');
    } else {
      comment(text, "not supported: the chart listens on all addresses; only port can be set");
    }
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

  private static String yaml(String value) {
    return PLAIN.matcher(value).matches()
        ? value
        : '"' + PlainText.of(value).replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String shell(String value) {
    return value.matches("[A-Za-z0-9_./@:,+=\\[\\]-]*")
        ? value
        : "'" + PlainText.of(value).replace("'", "'\\''") + "'";
  }
}
