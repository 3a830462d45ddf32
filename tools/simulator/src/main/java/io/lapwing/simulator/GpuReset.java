package io.lapwing.simulator;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Effect of a reset on the state lines of one GPU: volatile counters restart, pending changes are
 * applied, and counts in the InfoROM stay.
 *
 * @param model state lines of the instance type, which survive every reset
 */
record GpuReset(StateFile state, Map<String, String> model) {

  /** Lines of a reset GPU that override lines for all GPUs. */
  private static final Map<String, String> AFTERWARDS =
      Map.of(
          "nvlink.inactive", "",
          "fabric.state", "3",
          "fabric.health", "0x1aa",
          "fabric.summary", "1",
          "pcie.l0_to_recovery", "3");

  private static final Set<String> KEYS =
      Set.of(
          "lost",
          "energy.before",
          "recovery.action",
          "reset.required",
          "reset.drain_and_reset",
          "repair.channel",
          "repair.tpc",
          "rows.pending",
          "rows.correctable.inactive",
          "rows.uncorrectable.inactive");

  private static final List<Pattern> KINDS =
      List.of(
          Pattern.compile("(block|return|violation|sram\\.volatile)\\..*"),
          Pattern.compile("fabric\\.(state|status|health|summary)"),
          Pattern.compile(
              "nvlink\\.(inactive|replay|recovery.*|crc_.*|ecc|malformed|overrun|rx_.*|integrity_.*"
                  + "|tx_.*|effective_.*|symbol_.*|fec_.*)"),
          Pattern.compile(
              "pcie\\.(replay.*|l0_.*|correctable|naks_.*|receiver_.*|bad_.*|non_fatal|fatal"
                  + "|unsupported_.*|lcrc|lane_.*)"));

  private static final Pattern VOLATILE =
      Pattern.compile("ecc\\.(corrected|uncorrected)\\.volatile\\.([a-z0-9]+)");

  /** Resets one GPU at that second since 1970. */
  void apply(int gpu, double now) {
    String self = "gpu." + gpu + ".";
    for (Map.Entry<String, String> line : state.lines().entrySet()) {
      String key = line.getKey();
      String rest = key.startsWith(self) ? key.substring(self.length()) : ofAll(key);
      Matcher counter = VOLATILE.matcher(rest);
      if (counter.matches()) {
        keepInInforom(gpu, counter, now);
      } else if (isCleared(rest) && !isOfTheModel(line)) {
        state.remove(self + rest);
        if (!key.startsWith(self)) {
          state.put(self + rest, AFTERWARDS.getOrDefault(rest, "0"));
        }
      }
    }
    int generation = state.ofGpu(gpu, "generation").map(Integer::parseInt).orElse(0);
    state.put(self + "generation", Integer.toString(generation + 1));
  }

  /** The lines for all GPUs that no longer apply after all GPUs are reset. */
  void forgetLinesOfAll() {
    for (Map.Entry<String, String> line : state.lines().entrySet()) {
      if (isCleared(ofAll(line.getKey())) && !isOfTheModel(line)) {
        state.remove(line.getKey());
      }
    }
  }

  private boolean isOfTheModel(Map.Entry<String, String> line) {
    return line.getValue().equals(model.get(line.getKey()));
  }

  private static String ofAll(String key) {
    return key.startsWith("gpu.*.") ? key.substring("gpu.*.".length()) : "";
  }

  private static boolean isCleared(String key) {
    return KEYS.contains(key) || KINDS.stream().anyMatch(kind -> kind.matcher(key).matches());
  }

  /** The volatile count becomes 0; the aggregate count keeps it and continues. */
  private void keepInInforom(int gpu, Matcher counter, double now) {
    String since = counter.group();
    String ever = "ecc." + counter.group(1) + ".aggregate." + counter.group(2);
    double epoch = Double.parseDouble(state.lines().getOrDefault("epoch", "0"));
    Optional<Long> counted =
        state.ofGpu(gpu, since).flatMap(line -> CounterLine.value(line, now, epoch));
    if (counted.isEmpty()) {
      return;
    }
    Matcher before = follows(since).matcher(state.ofGpu(gpu, ever).orElse(since));
    if (before.matches()) {
      long kept = before.group(1) == null ? 0 : Long.parseLong(before.group(1));
      state.put("gpu." + gpu + "." + ever, (kept + counted.get()) + " + " + since);
    }
    state.put("gpu." + gpu + "." + since, "0");
  }

  /** An aggregate count derived from the volatile one; an independent one is unchanged. */
  private static Pattern follows(String volatileKey) {
    return Pattern.compile("(?:(\\d+) \\+ )?" + Pattern.quote(volatileKey));
  }
}
