package io.lapwing.drain.app;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Attempt;
import io.lapwing.drain.remediation.Remediation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** The documents of the API. Fields are only added; times are UTC. */
final class StateJson {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

  private StateJson() {}

  static byte[] bytes(ObjectNode document) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(document);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** {@code /api/v1/status}. */
  static ObjectNode status(State state, Policy policy, String version) {
    Snapshot snapshot = state.snapshot();
    ObjectNode document = MAKE.objectNode().put("version", version);
    snapshot.state().ifPresent(known -> document.put("lastRound", known.at().toString()));
    state.notReady().ifPresent(why -> document.put("notReady", why));
    state.paused().get().ifPresent(why -> document.put("paused", why));
    ObjectNode modes = document.putObject("modes");
    for (Verb verb : Verb.values()) {
      modes.put(verb.word(), DrainValueTypes.word(policy.mode(verb)));
    }
    ArrayNode brake = document.putArray("brake");
    for (Objection one : snapshot.brake()) {
      brake.addObject().put("limit", one.limit()).put("why", one.why()).put("until", one.until());
    }
    ArrayNode storms = document.putArray("systemic");
    snapshot.state().stream()
        .flatMap(known -> known.storms().stream())
        .forEach(storm -> storms.add(storm.toString()));
    state.cluster().last().ifPresent(view -> document.put("nodes", view.nodes().size()));
    ArrayNode open = document.putArray("remediations");
    snapshot.open().forEach(one -> open.add(remediation(one, snapshot)));
    return document;
  }

  private static ObjectNode remediation(Remediation one, Snapshot snapshot) {
    ObjectNode json =
        MAKE.objectNode()
            .put("id", one.id())
            .put("node", one.node().text())
            .put("phase", one.phase().word())
            .put("holdsNode", one.phase().holdsNode())
            .put("action", one.remedy().word())
            .put("urgency", one.urgency().word())
            .put("rule", one.rule())
            .put("why", one.why())
            .put("opened", one.opened().toString())
            .put("since", one.since().toString());
    one.taken().ifPresent(at -> json.put("taken", at.toString()));
    snapshot
        .waiting(one)
        .ifPresent(
            waiting -> json.put("waitsFor", waiting.why()).put("forPerson", waiting.person()));
    ArrayNode attempts = json.putArray("attempts");
    for (Attempt attempt : one.attempts()) {
      attempts
          .addObject()
          .put("action", attempt.remedy().word())
          .put("at", attempt.at().toString())
          .put("outcome", attempt.outcome().map(Attempt.Outcome::word).orElse("running"));
    }
    return json;
  }

  /** {@code /api/v1/explain/NODE}: all that is known of a node. */
  static ObjectNode explain(State state, NodeName node) {
    Snapshot snapshot = state.snapshot();
    ObjectNode document = MAKE.objectNode().put("node", node.text());
    state.notReady().ifPresent(why -> document.put("notReady", why));
    state.paused().get().ifPresent(why -> document.put("paused", why));
    Optional<ClusterView> view = state.cluster().last();
    view.flatMap(cluster -> cluster.node(node))
        .ifPresent(known -> document.set("scheduler", scheduler(known)));
    ArrayNode jobs = document.putArray("jobs");
    view.map(cluster -> new ClusterIndex(cluster).jobsOn(node))
        .orElse(List.of())
        .forEach(
            job ->
                jobs.addObject()
                    .put("id", job.id())
                    .put("user", job.user())
                    .put("nodes", job.nodes().size())
                    .put("gpus", job.gpus()));
    snapshot.of(node).ifPresent(open -> document.set("remediation", remediation(open, snapshot)));
    document.set("history", entries(state, entry -> entry.state().node().equals(node)));
    return document;
  }

  private static ObjectNode scheduler(NodeState node) {
    ObjectNode json =
        MAKE.objectNode()
            .put("service", node.service().name().toLowerCase(Locale.ROOT))
            .put("reason", node.reason())
            .put("reasonBy", node.reasonBy())
            .put("registered", node.registered())
            .put("instanceId", node.instanceId())
            .put("gpus", node.gpus());
    ArrayNode groups = json.putArray("groups");
    node.groups().stream().sorted().forEach(groups::add);
    return json;
  }

  /** {@code /api/v1/history}: decisions, oldest first. */
  static ObjectNode history(State state, Instant since) {
    ObjectNode document = MAKE.objectNode();
    document.set("decisions", entries(state, entry -> !entry.at().isBefore(since)));
    return document;
  }

  private static ArrayNode entries(State state, Predicate<Entry> which) {
    ArrayNode entries = MAKE.arrayNode();
    state.journal().recent().stream().filter(which).forEach(entry -> entries.add(entry(entry)));
    return entries;
  }

  private static ObjectNode entry(Entry entry) {
    Remediation state = entry.state();
    ObjectNode json = MAKE.objectNode();
    entry.radius().ifPresent(radius -> json.put("atStake", radius.sentence()));
    return json.put("at", entry.at().toString())
        .put("node", state.node().text())
        .put("id", state.id())
        .put("phase", state.phase().word())
        .put("action", state.remedy().word())
        .put("rule", state.rule())
        .put("what", entry.what());
  }
}
