package io.lapwing.agent.dropin;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a value of dcgm-exporter becomes one of Lapwing. */
enum Conversion {
  /** No value: the option's note is all. */
  NOTE,
  TEXT,
  ON,
  /** No label of the host. */
  NONE,
  DEBUG,
  MILLIS,
  INTERVAL,
  FIELDS,
  ENGINE,
  LOG_FORMAT,
  JOBS,
  DEVICES,
  CONFIGMAP;

  private static final Pattern DEFAULT_FILE =
      Pattern.compile("(?:.*/)?(?:default-counters|dcp-metrics-included)\\.csv");
  private static final Pattern URI = Pattern.compile("(tcp|unix|vsock)://(.+)");
  private static final long FASTEST = 200;
  private static final long FAST = 5_000;

  static Conversion named(String text) {
    return valueOf(text.replace('-', '_').toUpperCase(Locale.ROOT));
  }

  /**
   * Lapwing's value, with messages.
   *
   * @param value empty if Lapwing's default is meant, or there is no such value
   */
  record Result(Optional<String> value, Optional<String> remark) {

    static Result of(String value) {
      return new Result(Optional.of(value), Optional.empty());
    }

    static Result of(String value, String remark) {
      return new Result(Optional.of(value), Optional.of(remark));
    }

    static Result remark(String remark) {
      return new Result(Optional.empty(), Optional.of(remark));
    }

    static Result nothing() {
      return new Result(Optional.empty(), Optional.empty());
    }
  }

  /** Of a valid value. */
  Result of(String value, String note) {
    return switch (this) {
      case NOTE -> Result.remark(note);
      case TEXT, JOBS -> note.isEmpty() ? Result.of(value) : Result.of(value, note);
      case ON -> note.isEmpty() ? Result.of("true") : Result.of("true", note);
      case NONE -> Result.of("none");
      case DEBUG -> Result.of("debug");
      case MILLIS -> Result.of(text(Long.parseLong(value)));
      case INTERVAL -> interval(Long.parseLong(value));
      case FIELDS -> fields(value);
      case ENGINE -> engine(value, note);
      case LOG_FORMAT -> Result.of(value.equals("text") ? "logfmt" : value);
      case DEVICES -> value.equals("f") ? Result.nothing() : Result.remark(note);
      case CONFIGMAP -> value.equals("none") ? Result.nothing() : Result.remark(note);
    };
  }

  private static String text(long millis) {
    Duration duration = Duration.ofMillis(millis);
    if (millis % 60_000 == 0) {
      return duration.toMinutes() + "m";
    }
    return millis % 1_000 == 0 ? duration.toSeconds() + "s" : millis + "ms";
  }

  private static Result interval(long millis) {
    if (millis >= FAST) {
      return Result.remark(
          "values that follow the workload are read every 5 s, counters and temperatures every 10"
              + " s, and those that rarely change every 60 s (cadence.fast, .medium, .slow)");
    }
    return Result.of(
        text(Math.max(FASTEST, millis)),
        "only values that follow the workload are read so often"
            + (millis < FASTEST ? ", and no more than every 200ms" : ""));
  }

  /** A field file that comes with dcgm-exporter, or one of that name. */
  static boolean isDefaultFile(String file) {
    return DEFAULT_FILE.matcher(file).matches();
  }

  private static Result fields(String value) {
    if (isDefaultFile(value)) {
      return Result.remark(
          "the default, --metrics=standard, has the fields of dcgm-exporter's file; its label"
              + " DCGM_FI_DRIVER_VERSION comes with gpu.names; if yours has others, copy it and"
              + " name the copy in gpu.fields, whose label rows count then");
    }
    if (value.endsWith("1.x-compatibility-metrics.csv")) {
      return Result.remark(
          "names of 1.x are not served; rename families by metric_relabel_configs");
    }
    return Result.of(
        value,
        "copy the file if a package or an image of dcgm-exporter has it; a field has the name that"
            + " gpu.names gives it, however its row writes it");
  }

  private static Result engine(String value, String note) {
    Matcher uri = URI.matcher(value);
    String scheme = uri.matches() ? uri.group(1) : value.startsWith("/") ? "unix" : "tcp";
    String rest = uri.matches() ? uri.group(2) : value;
    return switch (scheme) {
      case "vsock" -> Result.of("vsock://" + (rest.contains(":") ? rest : rest + ":5555"), note);
      case "unix" -> Result.of("unix:" + rest, note);
      default -> Result.of(rest.matches(".*:[0-9]+") ? rest : rest + ":5555", note);
    };
  }
}
