package io.lapwing.simulator;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Settings of the Lustre client and of LNet from the state lines.
 *
 * @param version empty if the node has no Lustre
 * @param load share of the bandwidth used by jobs
 * @param mount the kernel's hexadecimal id of the mount, if a line sets it
 * @param health content of {@code health_check}
 * @param clears a changed number clears the counters of the mount
 * @param targets by name, such as {@code OST0003}
 */
record LustreSettings(
    Optional<LustreVersion> version,
    double load,
    Optional<String> mount,
    String health,
    int clears,
    Map<String, Target> targets,
    Net net) {

  private static final String LUSTRE = "lustre.";
  private static final String NET = "lnet.";
  private static final String VERSION = LUSTRE + "version";
  private static final String OSTS = LUSTRE + "osts";
  private static final String LOAD = LUSTRE + "load";
  private static final List<String> OF_CLIENT =
      List.of(VERSION, OSTS, LOAD, LUSTRE + "mount", LUSTRE + "health", LUSTRE + "clears");
  private static final List<String> OF_NET =
      List.of(NET + "drops", NET + "errors", NET + "state", NET + "waiting");
  private static final Pattern OF_TARGET =
      Pattern.compile("lustre\\.(\\*|[A-Z]{3}[0-9a-f]{4})\\.([a-z]+)");
  private static final List<String> KEYS_OF_TARGET =
      List.of("state", "wait", "inflight", "timeouts", "grant", "clears");
  private static final int MAX_OSTS = 0x200;

  /**
   * One OST or MDT.
   *
   * @param states states of its import since the previous line, oldest first
   * @param slower factor by which its answers take longer
   * @param held whether the maximum number of requests is in flight and hardly any is answered
   * @param timeouts requests that timed out
   * @param grant grant in bytes; empty for the default
   * @param clears a changed number clears its counters
   */
  record Target(
      List<String> states,
      double slower,
      boolean held,
      int timeouts,
      OptionalLong grant,
      int clears) {
    Target {
      states = List.copyOf(states);
    }
  }

  /**
   * LNet.
   *
   * @param drops dropped messages, a counter line
   * @param errors likewise
   * @param waiting peers without send credits
   */
  record Net(String drops, String errors, boolean up, int waiting) {}

  LustreSettings {
    targets = Map.copyOf(targets);
  }

  /** Settings of a target of this client. */
  Target target(String name) {
    Target target = targets.get(name);
    if (target == null) {
      throw new IllegalArgumentException("no " + name + " among " + targets.keySet());
    }
    return target;
  }

  /** Whether a line configures Lustre or LNet. */
  static boolean isOfLustre(String key) {
    return key.startsWith(LUSTRE) || key.startsWith(NET);
  }

  static LustreSettings of(Map<String, String> lines) {
    Map<String, Map<String, String>> each = new TreeMap<>();
    names(whole(lines, OSTS, "4", MAX_OSTS)).forEach(name -> each.put(name, new TreeMap<>()));
    lines.forEach((key, value) -> spread(each, key, value));
    Map<String, Target> targets = new TreeMap<>();
    each.forEach((name, own) -> targets.put(name, target(own)));
    return new LustreSettings(
        version(lines.getOrDefault(VERSION, LustreVersion.V2_15.branch())),
        number(LOAD, lines.getOrDefault(LOAD, "0.5"), 1),
        Optional.ofNullable(lines.get(LUSTRE + "mount")).map(LustreSettings::mount),
        health(lines.getOrDefault(LUSTRE + "health", "healthy")),
        whole(lines, LUSTRE + "clears", "0", Integer.MAX_VALUE),
        targets,
        net(lines));
  }

  private static Stream<String> names(int osts) {
    return Stream.concat(
        Stream.of("MDT0000"),
        IntStream.range(0, osts).mapToObj(i -> String.format(Locale.ROOT, "OST%04x", i)));
  }

  private static void spread(Map<String, Map<String, String>> each, String key, String value) {
    if (!isOfLustre(key) || OF_CLIENT.contains(key) || OF_NET.contains(key)) {
      return;
    }
    Matcher of = OF_TARGET.matcher(key);
    if (!of.matches() || !KEYS_OF_TARGET.contains(of.group(2))) {
      throw new IllegalArgumentException("not a line of a state: " + key + " = " + value);
    }
    if (of.group(1).equals("*")) {
      each.values().forEach(target -> target.put(of.group(2), value));
    } else if (each.containsKey(of.group(1))) {
      each.get(of.group(1)).put(of.group(2), value);
    } else {
      throw new IllegalArgumentException(key + ": this client has " + each.keySet());
    }
  }

  private static Target target(Map<String, String> lines) {
    String grant = lines.get("grant");
    return new Target(
        states(lines.getOrDefault("state", "FULL")),
        number("wait", lines.getOrDefault("wait", "1"), 100_000),
        lines.getOrDefault("inflight", "").equals("max"),
        whole(lines, "timeouts", "0", Integer.MAX_VALUE),
        grant == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(grant)),
        whole(lines, "clears", "0", Integer.MAX_VALUE));
  }

  private static Net net(Map<String, String> lines) {
    return new Net(
        counter(lines, NET + "drops"),
        counter(lines, NET + "errors"),
        !lines.getOrDefault(NET + "state", "up").equals("down"),
        whole(lines, NET + "waiting", "0", MAX_OSTS));
  }

  private static String counter(Map<String, String> lines, String key) {
    String line = lines.getOrDefault(key, "0");
    if (CounterLine.value(line, 0, 0).isEmpty()) {
      throw new IllegalArgumentException(key + " = " + line + " is no counter");
    }
    return line;
  }

  private static List<String> states(String line) {
    List<String> states = List.of(line.strip().split(" +"));
    for (String state : states) {
      if (!state.matches("[A-Z_]{3,16}")) {
        throw new IllegalArgumentException("no state of an import: " + state);
      }
    }
    return states;
  }

  private static Optional<LustreVersion> version(String line) {
    Optional<LustreVersion> version = LustreVersion.named(line);
    if (version.isEmpty() && !line.equals("none")) {
      throw new IllegalArgumentException(VERSION + " = " + line + " is no client that is known");
    }
    return version;
  }

  private static String mount(String line) {
    if (!line.matches("[0-9a-f]{16}")) {
      throw new IllegalArgumentException(LUSTRE + "mount is no address: " + line);
    }
    return line;
  }

  private static String health(String line) {
    if (!List.of("healthy", "NOT HEALTHY", "LBUG").contains(line)) {
      throw new IllegalArgumentException(LUSTRE + "health is never " + line);
    }
    return line;
  }

  private static double number(String key, String line, double most) {
    if (!line.matches("\\d{1,6}(\\.\\d{1,6})?") || Double.parseDouble(line) > most) {
      throw new IllegalArgumentException(key + " = " + line + " is not from 0 to " + most);
    }
    return Double.parseDouble(line);
  }

  private static int whole(Map<String, String> lines, String key, String otherwise, int most) {
    String line = lines.getOrDefault(key, otherwise);
    if (!line.matches("\\d{1,9}") || Integer.parseInt(line) > most) {
      throw new IllegalArgumentException(key + " = " + line + " is not from 0 to " + most);
    }
    return Integer.parseInt(line);
  }

  /** Applies a boot to the lines: a new, healthy mount and no load. */
  static void restart(StateFile state) {
    for (String key : List.copyOf(state.lines().keySet())) {
      if (isOfLustre(key) && !key.equals(VERSION) && !key.equals(OSTS)) {
        state.remove(key);
      }
    }
    state.put(LOAD, "0");
  }
}
