package io.lapwing.drain.replay;

import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.replay.Outcome.Lost;
import io.lapwing.drain.replay.Outcome.Stake;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** An {@link Outcome} as lines for people, each with a name and a value. */
public final class Measures {

  private static final String UNKNOWN = "unknown";

  private Measures() {}

  /** In their order. */
  public static Map<String, String> of(Outcome outcome) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("remediations requested", text(outcome.remediations()));
    lines.put("  the node was healthy when asked", text(outcome.notNeeded()));
    lines.put("  not drained by the end of the record", text(outcome.waiting()));
    lines.put("drains", text(outcome.drains()));
    lines.put("drains per 1,000 node-days", text(outcome.drainsPerThousandNodeDays()));
    outcome.repairs().forEach((remedy, results) -> repairs(lines, remedy, results));
    releases(lines, outcome.releases());
    lines.put("nodes handed to people", text(outcome.handedOver()));
    lost(lines, outcome.lost());
    stake(lines, outcome.stake());
    outcome
        .brakes()
        .forEach(
            (limit, brake) ->
                lines.put(
                    "brake trips of " + limit,
                    brake.trips() + " (" + brake.remediations() + " remediations waited)"));
    return lines;
  }

  private static void repairs(
      Map<String, String> lines, Remedy remedy, Map<String, Integer> results) {
    results.forEach((result, times) -> lines.put(remedy.word() + ", " + result, text(times)));
  }

  private static void releases(Map<String, String> lines, Releases releases) {
    lines.put("nodes returned", text(releases.returned()));
    lines.put("  with a fault within 24 hours", text(releases.cameBack()));
    lines.put("  without one for 24 hours", text(releases.quiet()));
    lines.put("    false drains: nor a repair in the record", text(releases.falseDrains()));
    lines.put("  the record ends within 24 hours", text(releases.unfinished()));
  }

  private static void lost(Map<String, String> lines, Lost lost) {
    lines.put("GPU hours lost", text(lost.idle() + lost.jobs()));
    lines.put("  nodes out of service without a job", text(lost.idle()));
    lines.put("    while a person had to act", text(lost.forPeople()));
    lines.put("  jobs that the controller ended", text(lost.jobs()));
    lines.put("    number of these jobs", jobs(lost));
  }

  private static String jobs(Lost lost) {
    return lost.unknown() == 0
        ? text(lost.ended())
        : lost.ended() + ", of " + lost.unknown() + " unknown";
  }

  private static void stake(Map<String, String> lines, Stake stake) {
    lines.put("jobs on nodes when drained", text(stake.jobs()));
    lines.put("  of known checkpoints", text(stake.known()));
    lines.put("  GPU hours lost if these end at once", hours(stake.known(), stake.now()));
    lines.put("  of these with a known hazard", text(stake.expected()));
    lines.put(
        "    GPU hours lost if they end at once", hours(stake.expected(), stake.nowOfExpected()));
    lines.put(
        "    GPU hours expected at the next checkpoint",
        hours(stake.expected(), stake.atCheckpoint()));
  }

  private static String hours(int jobs, double hours) {
    return jobs == 0 ? UNKNOWN : text(hours);
  }

  private static String text(long number) {
    return Long.toString(number);
  }

  private static String text(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  private static String text(OptionalDouble number) {
    return number.isPresent() ? text(number.getAsDouble()) : UNKNOWN;
  }
}
