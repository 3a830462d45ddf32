package io.lapwing.agent.attribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LossesTest {

  private static final Evidence SLOW_STORAGE =
      new Evidence(
          Evidence.Kind.STORAGE, "Lustre scratch-OST0001 takes 85 ms to answer, 4 ms is usual");
  private static final Evidence IDLE =
      new Evidence(Evidence.Kind.IDLE_GPU, "the SMs of GPU 3 were idle");
  private static final Evidence SLOW_GPU =
      new Evidence(Evidence.Kind.GPU, "GPU 3 runs at 1200 MHz");
  private static final Evidence BUSY =
      new Evidence(Evidence.Kind.PROCESSORS, "tasks waited for a processor");
  private static final Evidence RETRANSMITS =
      new Evidence(Evidence.Kind.NETWORK, "EFA sent packets again");

  private final Baseline usual = new Baseline();

  /** A hundred steps of half a second: 0.3 s computing, 0.1 s waiting for others, 0.1 s more. */
  private static RankTime minute(double input, double compute, double wait, double checkpoint) {
    Map<Portion, Double> recorded = new EnumMap<>(Portion.class);
    recorded.put(Portion.INPUT, 100 * input);
    recorded.put(Portion.COMPUTE, 100 * compute);
    recorded.put(Portion.COMMUNICATION, 100 * wait);
    recorded.put(Portion.CHECKPOINT, 100 * checkpoint);
    return RankTime.of(100, 100 * (input + compute + wait + 0.1), recorded);
  }

  private static RankTime quiet() {
    return minute(0, 0.3, 0.1, 0);
  }

  private LossesTest() {
    for (int i = 0; i < 5; i++) {
      usual.add(quiet());
    }
  }

  private Losses.Context known(Evidence... signs) {
    return new Losses.Context(usual, Map.of(), List.of(signs), Optional.empty());
  }

  private static void holds(
      List<Losses.Loss> losses, Portion portion, Cause cause, double seconds) {
    assertThat(losses).hasSize(1);
    Losses.Loss loss = losses.get(0);
    assertThat(loss.portion()).isEqualTo(portion);
    assertThat(loss.cause()).isEqualTo(cause);
    assertThat(loss.seconds()).isCloseTo(seconds, within(1e-6));
  }

  @Test
  void normalStepsLoseNothingWhateverTheEvidence() {
    assertThat(Losses.of(quiet(), known(SLOW_STORAGE, SLOW_GPU, BUSY, RETRANSMITS))).isEmpty();
  }

  @Test
  void waitingForDataIsAttributedToInputWithEvidence() {
    List<Losses.Loss> losses = Losses.of(minute(0.5, 0.3, 0.1, 0), known(SLOW_STORAGE, IDLE));
    holds(losses, Portion.INPUT, Cause.INPUT, 50);
    assertThat(losses.get(0).timing()).isEqualTo("waiting for data took 50 % of its steps");
    assertThat(losses.get(0).evidence()).contains(SLOW_STORAGE.text());
  }

  @Test
  void loopTimingAloneIsNotEnough() {
    holds(Losses.of(minute(0.5, 0.3, 0.1, 0), known()), Portion.INPUT, Cause.UNKNOWN, 50);
    holds(Losses.of(minute(0, 0.5, 0.1, 0), known()), Portion.COMPUTE, Cause.UNKNOWN, 20);
    holds(Losses.of(minute(0, 0.3, 0.4, 0), known()), Portion.COMMUNICATION, Cause.UNKNOWN, 30);
    holds(Losses.of(minute(0, 0.3, 0.1, 0.2), known()), Portion.CHECKPOINT, Cause.UNKNOWN, 20);
  }

  @Test
  void evidenceOfAnotherKindDoesNotCount() {
    holds(
        Losses.of(minute(0.5, 0.3, 0.1, 0), known(RETRANSMITS, SLOW_GPU)),
        Portion.INPUT,
        Cause.UNKNOWN,
        50);
    holds(
        Losses.of(minute(0, 0.3, 0.4, 0), known(SLOW_STORAGE, IDLE)),
        Portion.COMMUNICATION,
        Cause.UNKNOWN,
        30);
  }

  @Test
  void slowComputingIsAttributedToTheGpuBeforeTheHost() {
    RankTime slow = minute(0, 0.5, 0.1, 0);
    holds(Losses.of(slow, known(BUSY, SLOW_GPU)), Portion.COMPUTE, Cause.GPU, 20);
    holds(Losses.of(slow, known(BUSY)), Portion.COMPUTE, Cause.HOST, 20);
  }

  @Test
  void waitingForOthersIsAttributedToTheNetworkIfItLosesPackets() {
    holds(
        Losses.of(minute(0, 0.3, 0.4, 0), known(RETRANSMITS)),
        Portion.COMMUNICATION,
        Cause.NETWORK,
        30);
  }

  @Test
  void waitingForAStragglerHasTheCauseOfTheStraggler() {
    Losses.Loss ofPeer =
        new Losses.Loss(Portion.COMPUTE, Cause.GPU, 20, "computing took longer", Optional.of("hot"))
            .waitingFor("rank 3 of job 4711");
    Losses.Context known = new Losses.Context(usual, Map.of(), List.of(), Optional.of(ofPeer));
    List<Losses.Loss> losses = Losses.of(minute(0, 0.3, 0.4, 0), known);
    holds(losses, Portion.COMMUNICATION, Cause.GPU, 30);
    assertThat(losses.get(0).evidence()).contains("rank 3 of job 4711 is slow: hot");
  }

  @Test
  void aRankThatWasSlowFromTheStartIsComparedWithItsSiblings() {
    Losses.Context alone =
        new Losses.Context(new Baseline(), Map.of(), List.of(SLOW_GPU), Optional.empty());
    Losses.Context beside =
        new Losses.Context(
            new Baseline(), Map.of(Portion.COMPUTE, 0.3), List.of(SLOW_GPU), Optional.empty());
    assertThat(Losses.of(minute(0, 0.42, 0.1, 0), alone)).isEmpty();
    holds(Losses.of(minute(0, 0.42, 0.1, 0), beside), Portion.COMPUTE, Cause.GPU, 12);
  }

  @Test
  void whatTheWholeNodeHasExplainsNoLossOfOneRank() {
    Losses.Context busy =
        new Losses.Context(usual, Map.of(Portion.COMPUTE, 0.3), List.of(BUSY), Optional.empty());
    holds(Losses.of(minute(0, 0.5, 0.1, 0), busy), Portion.COMPUTE, Cause.UNKNOWN, 20);
    Evidence own = new Evidence(Evidence.Kind.OWN_PROCESSOR, "its process waited");
    Losses.Context starved =
        new Losses.Context(
            usual, Map.of(Portion.COMPUTE, 0.3), List.of(BUSY, own), Optional.empty());
    holds(Losses.of(minute(0, 0.5, 0.1, 0), starved), Portion.COMPUTE, Cause.HOST, 20);
    Losses.Context all =
        new Losses.Context(usual, Map.of(Portion.COMPUTE, 0.45), List.of(BUSY), Optional.empty());
    holds(Losses.of(minute(0, 0.5, 0.1, 0), all), Portion.COMPUTE, Cause.HOST, 20);
    Losses.Context input =
        new Losses.Context(
            usual, Map.of(Portion.INPUT, 0.01), List.of(SLOW_STORAGE), Optional.empty());
    holds(Losses.of(minute(0.5, 0.3, 0.1, 0), input), Portion.INPUT, Cause.UNKNOWN, 50);
  }

  @Test
  void checkpointsAreBesideTheDurationsOfSteps() {
    RankTime time = minute(0, 0.3, 0.1, 0.2);
    assertThat(time.seconds()).isCloseTo(70, within(1e-6));
    assertThat(time.each(Portion.REST).orElseThrow()).isCloseTo(0.1, within(1e-6));
  }

  @Test
  void unrecordedTimeIsLostInTheRest() {
    Baseline whole = new Baseline();
    for (int i = 0; i < 5; i++) {
      whole.add(RankTime.of(100, 50, Map.of()));
    }
    Losses.Context known = new Losses.Context(whole, Map.of(), List.of(BUSY), Optional.empty());
    holds(Losses.of(RankTime.of(100, 80, Map.of()), known), Portion.REST, Cause.HOST, 30);
  }

  @Test
  void normalVariationIsNotALoss() {
    assertThat(Losses.of(minute(0.005, 0.31, 0.11, 0.005), known(SLOW_STORAGE, BUSY))).isEmpty();
  }

  @Test
  void aRankWithoutStepsLosesNothing() {
    assertThat(Losses.of(RankTime.NONE, known(SLOW_STORAGE))).isEmpty();
  }
}
