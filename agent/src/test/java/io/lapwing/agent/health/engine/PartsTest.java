package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.PolicyOverrides;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.FakeSource;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SnapshotBoard;
import io.lapwing.agent.sources.VirtualClock;
import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.Source;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.xid.XidTable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sources that say what part of the node they read, as rules see them. */
class PartsTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration PERIOD = Duration.ofSeconds(10);
  private static final Metric DROPS =
      Metric.counter("lapwing_test_drops_total", "A help.", "device", "port");
  private static final Metric DEVICES = Metric.gauge("lapwing_test_devices", "A help.");

  private final VirtualClock clock = new VirtualClock();
  private final Cadences cadences = new Cadences(PERIOD, PERIOD, PERIOD, Duration.ofSeconds(5));
  private final Poller poller = new Poller(new SnapshotBoard(), cadences, clock);
  private final SnapshotBuilder snapshots =
      new SnapshotBuilder(
          new SnapshotBuilder.Sources(
              poller,
              cadences,
              new GpuRoster(),
              new NvmlDriver(() -> new Reading.Missing<>("nvml"))),
          () ->
              new NodeFacts(
                  "node",
                  "",
                  "",
                  Optional.empty(),
                  OptionalInt.empty(),
                  OptionalInt.empty(),
                  OptionalInt.empty()),
          () -> AgentStatus.ALL_AVAILABLE,
          List.of(DROPS, DEVICES));

  /** A source with a part. */
  private record OfPart(FakeSource fake, Part itsPart) implements Source {

    @Override
    public String name() {
      return fake.name();
    }

    @Override
    public Optional<Part> part() {
      return Optional.of(itsPart);
    }

    @Override
    public List<Collector> collectors() {
      return fake.collectors();
    }

    @Override
    public Access begin(List<Collector> due) {
      return fake.begin(due);
    }
  }

  private static FakeSource device(String name, double drops) {
    Labels labels = Labels.of("device", name, "port", "1");
    return new FakeSource(name).with("efa", Cadence.FAST, sink -> sink.add(DROPS, labels, drops));
  }

  private void add(String name, double drops) {
    add(name, device(name, drops));
  }

  private void add(String name, Access access) {
    FakeSource fake = device(name, 0);
    fake.is(access);
    add(name, fake);
  }

  private void add(String name, FakeSource fake) {
    poller.add(new OfPart(fake, new Part("efa", name, Labels.of("device", name))));
  }

  private FakeSource addWhole() {
    return addWhole(Access.READY);
  }

  private FakeSource addWhole(Access access) {
    FakeSource fake =
        new FakeSource("efa")
            .with("efa_list", Cadence.FAST, sink -> sink.add(DEVICES, Labels.NONE, 2));
    fake.is(access);
    poller.add(new OfPart(fake, Part.whole("efa")));
    return fake;
  }

  private NodeSnapshot view() {
    await()
        .atMost(PATIENCE)
        .until(() -> poller.activities().stream().allMatch(state -> state.settled()));
    return snapshots.build(clock.instant(), History.EMPTY, Trends.NONE);
  }

  @AfterEach
  void close() {
    poller.close();
  }

  /** Looks at the drops of every device. */
  private static final class Drops implements HealthRule {
    @Override
    public RuleSpec spec() {
      return RuleSpec.named("drops").needs(DROPS).build();
    }

    @Override
    public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
      return List.of();
    }

    @Override
    public String kind() {
      return "efa";
    }
  }

  @Test
  void eachPartHasItsOwnValuesByTheLabelsBehindItsOwn() {
    addWhole();
    add("rdmap0", 3);
    add("rdmap1", 4);

    NodeSnapshot view = view();

    assertThat(view.parts("efa")).extracting(PartStatus::name).containsExactly("rdmap0", "rdmap1");
    assertThat(view.part("efa", "rdmap1").orElseThrow().values().get(DROPS, "1")).hasValue(4);
    assertThat(view.part("efa", "rdmap1").orElseThrow().values().all(DROPS))
        .isEqualTo(Map.of(List.of("1"), 4.0));
    assertThat(view.whole("efa").orElseThrow().values().get(DEVICES)).hasValue(2);
    assertThat(view.parts("lustre")).isEmpty();
  }

  @Test
  void nothingIsKeptOfPartsThatCameAndWent() {
    addWhole();
    add("rdmap0", 3);
    view();
    int ofOne = snapshots.indexed();
    for (int job = 1; job <= 50; job++) {
      poller.remove("rdmap" + (job - 1));
      add("rdmap" + job, 3);
      assertThat(view().part("efa", "rdmap" + job).orElseThrow().values().get(DROPS, "1"))
          .hasValue(3);
    }
    assertThat(snapshots.indexed()).isEqualTo(ofOne);
  }

  @Test
  void aPartThatCannotBeReadHasAReasonAndNoValues() {
    add("rdmap0", new Access.Down("io", "rdmap0 cannot be read"));
    addWhole(new Access.NothingHere("no EFA"));

    PartStatus part = view().parts("efa").get(0);

    assertThat(part.state()).isEqualTo(PartStatus.State.DOWN);
    assertThat(part.reason()).isEqualTo("rdmap0 cannot be read");
    assertThat(part.values().all(DROPS)).isEmpty();
    assertThat(view().whole("efa").orElseThrow().state()).isEqualTo(PartStatus.State.NOTHING_HERE);
  }

  @Test
  void oneThatHangsFromTheBeginningIsThereAndHangs() {
    FakeSource hanging = device("rdmap0", 3);
    hanging.hang();
    add("rdmap0", hanging);
    await().atMost(PATIENCE).until(() -> poller.activities().get(0).busy().isPresent());
    clock.advance(Duration.ofSeconds(7));
    poller.start();

    PartStatus part = view().parts("efa").get(0);

    assertThat(part.state()).isEqualTo(PartStatus.State.HUNG);
    assertThat(part.reason()).isEqualTo("a read has not come back for 7 s");
    hanging.comeBack();
  }

  @Test
  void aRuleEvaluatesPartsThatAnswerOrWereRemovedButNotUnreadableOnes() {
    HealthRule rule = new Drops();
    FakeSource whole = addWhole();
    add("rdmap0", 3);
    add("rdmap1", new Access.Down("io", "broken"));

    NodeSnapshot view = view();
    assertThat(rule.canEvaluate(new Subject.Part("efa", "rdmap0"), view)).isTrue();
    assertThat(rule.canEvaluate(new Subject.Part("efa", "rdmap1"), view)).isFalse();
    assertThat(rule.canEvaluate(new Subject.Part("efa", "rdmap9"), view)).isTrue();
    assertThat(rule.canEvaluate(new Subject.Part("lustre", "scratch"), view)).isFalse();

    whole.is(new Access.Down("io", "the folder cannot be listed"));
    clock.advance(PERIOD);
    await()
        .atMost(PATIENCE)
        .until(() -> poller.activities().stream().allMatch(state -> state.rounds() > 1));
    assertThat(rule.canEvaluate(new Subject.Part("efa", "rdmap9"), view())).isFalse();
  }

  @Test
  void aRuleWithoutItsMetricsIsUnevaluatedWherePartsOfItsKindExist() {
    RuleSet book =
        new RuleSet(
            List.of(new Drops()),
            Policy.of(
                Profile.AWS, XidTable.load(), List.of(new Drops().spec()), PolicyOverrides.NONE));
    assertThat(book.unevaluated(view())).isEmpty();

    addWhole();
    assertThat(book.unevaluated(view()))
        .containsEntry("drops", "no part of efa has lapwing_test_drops_total");

    add("rdmap0", 0);
    assertThat(book.unevaluated(view())).isEmpty();
  }
}
