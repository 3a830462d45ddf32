package io.lapwing.simulator;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Settings of one network device from the state lines.
 *
 * @param missing whether the device is absent
 * @param name a name other than the one from bus and slot
 * @param load share of its bandwidth in use
 * @param retransmitted share of sent packets that are retransmitted
 * @param alive whether it sends keep-alives
 * @param counts counts in addition to traffic
 * @param files replacements of files, by path below the device
 */
record EfaSettings(
    boolean missing,
    Optional<String> name,
    double load,
    double retransmitted,
    boolean alive,
    Map<EfaCounter, String> counts,
    Map<String, String> files) {
  /** A job that communicates about half of the time. */
  private static final String LOAD = "0.45";

  private static final Pattern OF_DEVICE = Pattern.compile("efa\\.(\\*|\\d{1,2})\\.(.+)");
  private static final String DRIVER = "efa.driver";
  private static final String FILE = "file.";

  /** Whether a line configures network devices. */
  static boolean isOfEfa(String key) {
    return key.startsWith("efa.");
  }

  static EfaDriver driver(Map<String, String> lines) {
    return new EfaDriver(lines.getOrDefault(DRIVER, EfaDriver.PRESET));
  }

  /** The number of the device if the line is for a single one. */
  static OptionalInt device(String key) {
    Matcher of = OF_DEVICE.matcher(key);
    return of.matches() && !of.group(1).equals("*")
        ? OptionalInt.of(Integer.parseInt(of.group(1)))
        : OptionalInt.empty();
  }

  /** Settings of all devices of a node; later lines override earlier ones. */
  static List<EfaSettings> of(Map<String, String> lines, int devices) {
    List<Map<String, String>> each = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      each.add(new LinkedHashMap<>());
    }
    lines.forEach(
        (key, value) -> {
          if (isOfEfa(key) && !key.equals(DRIVER)) {
            spread(each, key, value);
          }
        });
    return each.stream().map(EfaSettings::of).toList();
  }

  private static void spread(List<Map<String, String>> each, String key, String value) {
    Matcher of = OF_DEVICE.matcher(key);
    if (!of.matches()) {
      throw new IllegalArgumentException("not a line of a state: " + key + " = " + value);
    }
    if (of.group(1).equals("*")) {
      each.forEach(device -> device.put(of.group(2), value));
      return;
    }
    int device = Integer.parseInt(of.group(1));
    if (device >= each.size()) {
      throw new IllegalArgumentException(key + ": this node has " + each.size() + " EFA devices");
    }
    each.get(device).put(of.group(2), value);
  }

  private static EfaSettings of(Map<String, String> lines) {
    Map<EfaCounter, String> counts = new EnumMap<>(EfaCounter.class);
    Map<String, String> files = new LinkedHashMap<>();
    lines.forEach(
        (key, value) -> {
          switch (key) {
            case "missing", "name", "load", "retransmits", "keep_alive" -> {}
            default -> {
              if (key.startsWith(FILE)) {
                files.put(key.substring(FILE.length()), value);
              } else {
                counts.put(counter(key), value);
              }
            }
          }
        });
    return new EfaSettings(
        lines.getOrDefault("missing", "0").equals("1"),
        Optional.ofNullable(lines.get("name")),
        share("load", lines.getOrDefault("load", LOAD)),
        share("retransmits", lines.getOrDefault("retransmits", "0")),
        lines.getOrDefault("keep_alive", "1").equals("1"),
        Map.copyOf(counts),
        files);
  }

  /** The paths whose replacement changed. */
  Set<String> filesOtherThan(EfaSettings before) {
    Set<String> paths = new HashSet<>(files.keySet());
    paths.addAll(before.files.keySet());
    paths.removeIf(path -> Objects.equals(files.get(path), before.files.get(path)));
    return paths;
  }

  private static EfaCounter counter(String key) {
    try {
      return EfaCounter.valueOf(key.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException unknown) {
      throw new IllegalArgumentException("an EFA device has no " + key, unknown);
    }
  }

  private static double share(String key, String value) {
    if (!value.matches("[01](\\.\\d+)?") || Double.parseDouble(value) > 1) {
      throw new IllegalArgumentException(key + " = " + value + " is not a share from 0 to 1");
    }
    return Double.parseDouble(value);
  }

  /**
   * Applies a boot to the lines: no job communicates, and faults of present devices are cleared. A
   * missing device stays missing on the same machine.
   */
  static void restart(StateFile state, InstanceType type, boolean anotherMachine) {
    for (String key : List.copyOf(state.lines().keySet())) {
      if (isOfEfa(key) && !key.equals(DRIVER) && (anotherMachine || !key.endsWith(".missing"))) {
        state.remove(key);
      }
    }
    if (type.efa().isPresent()) {
      state.put("efa.*.load", "0");
    }
  }
}
