package io.lapwing.drain.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lapwing.drain.replay.Assumed;
import io.lapwing.drain.replay.Outcome;
import io.lapwing.drain.replay.Recording;
import java.util.List;

/** A replay as JSON. Unknown values are left out. */
final class ReplayJson {

  private ReplayJson() {}

  static String of(Recording recording, Assumed assumed, List<Outcome> outcomes) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.putObject("record")
        .put("from", recording.from().toString())
        .put("until", recording.until().toString())
        .put("nodes", recording.size())
        .put("event_logs", recording.logs())
        .put("node_days", recording.nodeDays())
        .put("requests", recording.asks().size())
        .put("jobs", recording.jobs().size())
        .put("unconfirmed", recording.unconfirmed());
    ArrayNode assumptions = root.putArray("assumptions");
    ReplayText.assumptions(recording, assumed).forEach(assumptions::add);
    ArrayNode policies = root.putArray("policies");
    outcomes.forEach(outcome -> policies.add(of(outcome)));
    return root.toPrettyString();
  }

  private static ObjectNode of(Outcome outcome) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("policy", outcome.policy())
            .put("remediations", outcome.remediations())
            .put("not_needed", outcome.notNeeded())
            .put("not_drained", outcome.waiting())
            .put("drains", outcome.drains());
    outcome
        .drainsPerThousandNodeDays()
        .ifPresent(rate -> node.put("drains_per_1000_node_days", rate));
    node.put("nodes_handed_to_people", outcome.handedOver());
    ObjectNode repairs = node.putObject("repairs");
    outcome
        .repairs()
        .forEach(
            (remedy, results) -> {
              ObjectNode counts = repairs.putObject(remedy.word());
              results.forEach(counts::put);
            });
    node.putObject("returned")
        .put("nodes", outcome.releases().returned())
        .put("fault_within_24h", outcome.releases().cameBack())
        .put("quiet_24h", outcome.releases().quiet())
        .put("false_drains", outcome.releases().falseDrains())
        .put("record_ends", outcome.releases().unfinished());
    node.putObject("gpu_hours_lost")
        .put("idle", outcome.lost().idle())
        .put("idle_for_people", outcome.lost().forPeople())
        .put("jobs", outcome.lost().jobs())
        .put("jobs_ended", outcome.lost().ended())
        .put("jobs_unknown", outcome.lost().unknown());
    stake(node.putObject("jobs_when_drained"), outcome.stake());
    ObjectNode brakes = node.putObject("brakes");
    outcome
        .brakes()
        .forEach(
            (limit, brake) ->
                brakes
                    .putObject(limit)
                    .put("trips", brake.trips())
                    .put("remediations", brake.remediations()));
    return node;
  }

  private static void stake(ObjectNode node, Outcome.Stake stake) {
    node.put("jobs", stake.jobs()).put("known", stake.known()).put("expected", stake.expected());
    if (stake.known() > 0) {
      node.put("gpu_hours_now", stake.now());
    }
    if (stake.expected() > 0) {
      node.put("gpu_hours_now_of_expected", stake.nowOfExpected())
          .put("gpu_hours_at_checkpoint", stake.atCheckpoint());
    }
  }
}
