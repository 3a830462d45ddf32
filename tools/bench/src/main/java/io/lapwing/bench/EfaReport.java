package io.lapwing.bench;

import io.lapwing.bench.Report.Budget;
import io.lapwing.bench.Report.Row;
import io.lapwing.bench.Result.Pair;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The cost of reading EFA devices as a text table and as JSON. */
final class EfaReport {

  private final Map<String, Object> facts;
  private final Pair<List<EfaRound>> rounds;
  private final List<Row> rows;

  /**
   * A report of these rounds.
   *
   * @param rounds rounds without scrapes of the agent, and rounds with a scrape at every refresh
   */
  EfaReport(Map<String, Object> facts, Pair<List<EfaRound>> rounds) {
    this.facts = facts;
    this.rounds = rounds;
    this.rows =
        List.of(
            row("reading", "CPU a refresh of 32 EFA devices", false, EfaRound::readingMicros, 0.25),
            row("agent", "  with all else that the agent does", false, EfaRound::agentMicros, 0),
            row("page", "  and one page a refresh", true, EfaRound::agentMicros, 0));
  }

  private Row row(
      String key, String what, boolean asked, ToDoubleFunction<EfaRound> ours, double budget) {
    List<EfaRound> of = asked ? rounds.peer() : rounds.agent();
    List<Double> agent = of.stream().map(round -> ours.applyAsDouble(round) / 1e3).toList();
    List<Double> peer = of.stream().map(round -> round.peerMicros() / 1e3).toList();
    return new Row(
        "cpu_ms_" + key,
        what,
        "ms",
        new Comparison(
            Medians.median(agent),
            Medians.median(peer),
            Medians.pairwise(agent, peer, (a, p) -> a / p)),
        budget > 0 ? Budget.ratio(budget) : Budget.NONE);
  }

  String table() {
    List<EfaRound> unasked = rounds.agent();
    return Report.table(facts, rows)
        + """

        The agent has its EFA collectors alone and reads %d counters of each of %d devices every %d ms; the peer reads as many
        files, and six more of each device, in a scrape every %d ms, and its scrape includes the page that it makes of them.
        In a round of as many scrapes as refreshes: %.0f refreshes, %d scrapes. The first line is the agent less the same agent
        without EFA (%.2f ms in the time of a refresh): reading, publishing, and judging the devices. The second takes
        nothing off; in the third the agent is asked for its page as often as the peer. A ratio is the median of the rounds'.
        """
            .formatted(
                EfaSideBySide.COUNTERS,
                PeerTree.DEVICES,
                EfaSideBySide.CADENCE.toMillis(),
                EfaSideBySide.CADENCE.toMillis(),
                Medians.median(unasked.stream().map(EfaRound::refreshes).toList()),
                unasked.get(0).scrapes(),
                Medians.median(unasked.stream().map(EfaRound::idleMicros).toList()) / 1e3);
  }

  String json() {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("machine", facts);
    record.put(
        "refreshes", rounds.agent().stream().map(EfaRound::refreshes).map(Math::round).toList());
    record.put("scrapes", rounds.agent().get(0).scrapes());
    record.put("quantities", Report.quantities(rows));
    return Json.write(record);
  }
}
