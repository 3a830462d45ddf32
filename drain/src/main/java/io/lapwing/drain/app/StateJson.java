package io.lapwing.drain.app;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.decisions.Course;
import io.lapwing.drain.decisions.Decision;
import io.lapwing.drain.decisions.DecisionLog;
import io.lapwing.drain.decisions.OpenRemediation;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.jobs.BlastRadius;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Attempt;
import io.lapwing.drain.remediation.Remediation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The documents of the API. Fields are only added; times are UTC. */
final class StateJson {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MOST = 1000;
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
    state.notReloaded().get().ifPresent(why -> document.put("notReloaded", why));
    ArrayNode inputs = document.putArray("inputProblems");
    state.inputs().problems().forEach(inputs::add);
    ObjectNode modes = document.putObject("modes");
    for (Verb verb : Verb.values()) {
      modes.put(verb.word(), DrainValueTypes.word(policy.mode(verb)));
    }
    ArrayNode brake = document.putArray("brake");
    for (Objection one : snapshot.brake()) {
      brake.addObject().put("limit", one.limit()).put("why", one.why()).put("until", one.until());
    }
    ArrayNode calls = document.putArray("calls");
    snapshot.calls().forEach(calls::add);
    state.cluster().last().ifPresent(view -> document.put("nodes", view.nodes().size()));
    ArrayNode open = document.putArray("remediations");
    snapshot.open().forEach(one -> open.add(remediation(one)));
    return document;
  }

  private static ObjectNode remediation(OpenRemediation open) {
    ObjectNode json = remediation(open.remediation());
    open.waitsFor().ifPresent(why -> json.put("waitsFor", why));
    return json.put("forPerson", open.person());
  }

  private static ObjectNode remediation(Remediation one) {
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
    if (!one.earlierReason().isEmpty()) {
      json.put("earlierReason", one.earlierReason());
    }
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
    ArrayNode courses = document.putArray("courses");
    snapshot
        .state()
        .map(known -> DecisionLog.explain(node, state.journal().recent(), known))
        .ifPresent(
            explanation -> {
              explanation.now().ifPresent(now -> document.set("remediation", remediation(now)));
              explanation.courses().forEach(course -> courses.add(course(course)));
            });
    return document;
  }

  /** A remediation from its request on, oldest decision first. */
  private static ObjectNode course(Course course) {
    ObjectNode json = remediation(course.last());
    course.ended().ifPresent(at -> json.put("ended", at.toString()));
    ArrayNode decisions = json.putArray("decisions");
    course.decisions().forEach(decision -> decisions.add(decision(decision)));
    return json;
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
    ArrayNode others = json.putArray("others");
    node.others().forEach(others::add);
    return json;
  }

  /** {@code /api/v1/history}: decisions and pauses, latest first. */
  static ObjectNode history(State state, List<PauseLog.Change> pauses, Instant since) {
    List<Dated> all = new ArrayList<>();
    DecisionLog.history(state.journal().recent(), since, MOST)
        .forEach(one -> all.add(new Dated(one.at(), decision(one))));
    pauses.stream()
        .filter(one -> !one.at().isBefore(since))
        .forEach(one -> all.add(new Dated(one.at(), pause(one))));
    ObjectNode document = MAKE.objectNode();
    ArrayNode decisions = document.putArray("decisions");
    all.stream()
        .sorted(Comparator.comparing(Dated::at).reversed())
        .forEach(one -> decisions.add(one.json()));
    return document;
  }

  private record Dated(Instant at, ObjectNode json) {}

  private static ObjectNode pause(PauseLog.Change pause) {
    return MAKE.objectNode()
        .put("at", pause.at().toString())
        .put("by", pause.by())
        .put("what", pause.what());
  }

  private static ObjectNode decision(Decision decision) {
    ObjectNode json =
        MAKE.objectNode()
            .put("at", decision.at().toString())
            .put("node", decision.node().text())
            .put("id", decision.id())
            .put("phase", decision.phase().word())
            .put("what", decision.what());
    decision.cost().ifPresent(cost -> cost(json, cost));
    return json;
  }

  private static void cost(ObjectNode json, BlastRadius cost) {
    json.put("atStake", cost.sentence());
    ArrayNode others = json.putArray("others");
    cost.others().forEach(others::add);
  }
}
