package io.lapwing.drain.app;

import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.decisions.OpenRemediation;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.intake.IntakeCounts;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Phase;
import io.prometheus.client.Collector;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** The state of the controller as samples. */
final class StateCollector extends Collector {

  private static final List<String> LIMITS =
      List.of(
          "budget.nodes",
          "budget.share",
          "budget.per-hour",
          "budget.gap",
          "budget.replacements-per-hour");

  private final State state;
  private final Supplier<Policy> policy;
  private final Supplier<IntakeCounts> intake;
  private final String version;

  StateCollector(
      State state, Supplier<Policy> policy, Supplier<IntakeCounts> intake, String version) {
    this.state = state;
    this.policy = policy;
    this.intake = intake;
    this.version = version;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    List<MetricFamilySamples> all = new ArrayList<>();
    all.add(
        labelled("lapwing_drain_build_info", "Version of the controller; always 1.", "version")
            .addMetric(List.of(version), 1));
    all.add(Standby.leader(true));
    Snapshot snapshot = state.snapshot();
    all.add(phases(snapshot));
    all.add(
        gauge(
            "lapwing_drain_held_nodes",
            "Nodes out of service because of the controller.",
            (double)
                snapshot.open().stream()
                    .filter(one -> one.remediation().phase().holdsNode())
                    .count()));
    heldSince(snapshot)
        .ifPresent(
            at ->
                all.add(
                    gauge(
                        "lapwing_drain_held_since_timestamp_seconds",
                        "When the node was taken that the controller has held longest.",
                        at.toEpochMilli() / 1000.0)));
    all.add(
        gauge(
            "lapwing_drain_scheduler_blind",
            "Whether the cluster cannot be seen: nothing is done then.",
            state.cluster().blind().isEmpty() ? 0 : 1));
    all.add(
        gauge(
            "lapwing_drain_journal_failing",
            "Whether the journal cannot be written: nothing is done then.",
            state.journal().problem().isPresent() ? 1 : 0));
    all.add(
        gauge(
            "lapwing_drain_paused",
            "Whether the kill switch stops the controller.",
            state.paused().get().isPresent() ? 1 : 0));
    all.add(
        gauge(
            "lapwing_drain_waiting_for_person",
            "Open remediations in which a person has to act.",
            (double) snapshot.open().stream().filter(OpenRemediation::person).count()));
    all.add(
        gauge(
            "lapwing_drain_orphaned_nodes",
            "Nodes that a controller took out of service and that no open remediation is about.",
            snapshot.state().map(known -> known.orphans().size()).orElse(0)));
    all.add(
        gauge(
            "lapwing_drain_systemic_rules",
            "Rules that are on so many nodes at once that no node is taken for them.",
            snapshot.state().map(known -> known.storms().size()).orElse(0)));
    all.add(
        new CounterMetricFamily(
            "lapwing_drain_failed_rounds_total",
            "Rounds that failed, for all nodes or for one.",
            state.loop().failedRounds()));
    state
        .loop()
        .lastRound()
        .ifPresent(
            at ->
                all.add(
                    gauge(
                        "lapwing_drain_last_round_timestamp_seconds",
                        "When the last round ended that did not fail.",
                        at.toEpochMilli() / 1000.0)));
    all.add(brake(snapshot));
    all.add(modes());
    all.add(requests());
    nodes(all);
    inputs(all);
    return all;
  }

  private static Optional<Instant> heldSince(Snapshot snapshot) {
    return snapshot.open().stream()
        .map(OpenRemediation::remediation)
        .filter(one -> one.phase().holdsNode())
        .flatMap(one -> one.taken().stream())
        .min(Comparator.naturalOrder());
  }

  private static MetricFamilySamples phases(Snapshot snapshot) {
    GaugeMetricFamily family =
        labelled("lapwing_drain_remediations", "Open remediations, by phase.", "phase");
    for (Phase phase : Phase.values()) {
      if (!phase.ended()) {
        List<OpenRemediation> in =
            snapshot.open().stream().filter(one -> one.remediation().phase() == phase).toList();
        family.addMetric(List.of(phase.word()), in.size());
      }
    }
    return family;
  }

  static MetricFamilySamples brake(Snapshot snapshot) {
    GaugeMetricFamily family =
        labelled(
            "lapwing_drain_brake_closed",
            "Whether a limit lets no further node be taken.",
            "limit");
    List<String> closed = snapshot.brake().stream().map(Objection::limit).toList();
    LIMITS.forEach(limit -> family.addMetric(List.of(limit), closed.contains(limit) ? 1 : 0));
    return family;
  }

  private MetricFamilySamples modes() {
    GaugeMetricFamily family =
        new GaugeMetricFamily(
            "lapwing_drain_mode", "Mode of an action; always 1.", List.of("verb", "mode"));
    for (Verb verb : Verb.values()) {
      family.addMetric(List.of(verb.word(), DrainValueTypes.word(policy.get().mode(verb))), 1);
    }
    return family;
  }

  private MetricFamilySamples requests() {
    CounterMetricFamily family =
        new CounterMetricFamily(
            "lapwing_drain_requests_total",
            "Messages and alerts, by source and result.",
            List.of("source", "result"));
    intake
        .get()
        .counts()
        .forEach(
            (series, count) ->
                family.addMetric(List.of(series.channel().word(), series.result().word()), count));
    return family;
  }

  private void inputs(List<MetricFamilySamples> all) {
    state
        .inputs()
        .agents()
        .ifPresent(
            known ->
                all.add(
                    labelled(
                            "lapwing_drain_agents",
                            "Agents when all were last asked, by whether they answered.",
                            "answer")
                        .addMetric(List.of("answered"), known.answered())
                        .addMetric(List.of("silent"), known.silent())));
    state
        .inputs()
        .queue()
        .ifPresent(
            queue ->
                all.add(
                    gauge(
                        "lapwing_drain_sqs_failing",
                        "Whether the queue of SQS cannot be read.",
                        queue.problem().isPresent() ? 1 : 0)));
  }

  private void nodes(List<MetricFamilySamples> all) {
    state
        .cluster()
        .last()
        .ifPresent(
            view -> {
              GaugeMetricFamily family =
                  labelled(
                      "lapwing_drain_nodes", "Nodes of the cluster, by what they do.", "service");
              for (Service service : Service.values()) {
                family.addMetric(
                    List.of(service.name().toLowerCase(Locale.ROOT)),
                    (double)
                        view.nodes().values().stream().filter(n -> n.service() == service).count());
              }
              all.add(family);
            });
  }

  private static GaugeMetricFamily labelled(String name, String help, String label) {
    return new GaugeMetricFamily(name, help, List.of(label));
  }

  private static GaugeMetricFamily gauge(String name, String help, double value) {
    return new GaugeMetricFamily(name, help, value);
  }
}
