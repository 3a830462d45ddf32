package io.lapwing.agent.health.rules.xid;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec.Threshold;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.xid.XidDetails;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * XIDs that point to the application or to chance, repeated until they point to the hardware. The
 * messages are the driver's, read by the reader that the agent has.
 */
class XidRepeatTest {

  private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");
  private static final String GPU_2 = "GPU-two";
  private static final String GPU_3 = "GPU-three";

  private static final Disposition RESTART =
      new Disposition(Severity.INFO, Action.RESTART_APP, Urgency.NOW);
  private static final Disposition WATCH = Disposition.degraded(Action.WATCH, Urgency.JOB_END);
  private static final Disposition ROW_OF_74 = Disposition.failing(Action.RESET_GPU, Urgency.NOW);

  /** An ECC or parity bit of the first register. */
  private static final String PARITY = "0x10";

  /** Marginal signal integrity. */
  private static final String SIGNAL = "0x200000";

  /** A bit that follows from a fault elsewhere. */
  private static final String SECONDARY = "0x2";

  private static final XidRule.Words WORDS =
      new XidRule.Words() {
        @Override
        public String name(int number) {
          return "name of " + number;
        }

        @Override
        public String why(int number) {
          return "Why of " + number + ".";
        }

        @Override
        public String document(int number) {
          return "document";
        }
      };

  private final List<Event> events = new ArrayList<>();
  private final Map<String, Double> thresholds = new HashMap<>();
  private Instant now = START;
  private String model = "";

  XidRepeatTest() {
    for (Threshold threshold : XidRule.specification().thresholds()) {
      thresholds.put(threshold.name(), threshold.preset());
    }
  }

  private static Disposition policy(int number) {
    return number == 74 ? ROW_OF_74 : RESTART;
  }

  private XidRepeatTest hoursLater(double hours) {
    now = now.plusSeconds((long) (hours * 3_600));
    return this;
  }

  private XidRepeatTest happens(Event event) {
    events.add(event);
    return this;
  }

  private XidRepeatTest xid(
      String gpu, int number, OptionalLong pid, OptionalInt instance, String message) {
    return happens(
        new Event.Xid(
            now,
            gpu,
            "0000:53:00",
            instance,
            OptionalInt.empty(),
            number,
            pid,
            pid.isPresent() ? "train-" + pid.getAsLong() % 1_000 : "",
            message,
            OptionalInt.empty(),
            Set.of(Event.Origin.KERNEL),
            1,
            OptionalLong.of(events.size())));
  }

  private static String at(int gpc, int tpc) {
    return "Graphics SM Warp Exception on (GPC "
        + gpc
        + ", TPC "
        + tpc
        + ", SM 0): Out Of Range Address";
  }

  private XidRepeatTest sm(String gpu, long pid, int gpc, int tpc) {
    return xid(gpu, 13, OptionalLong.of(pid), OptionalInt.empty(), at(gpc, tpc));
  }

  private XidRepeatTest pageFault(String gpu, long pid) {
    return xid(
        gpu,
        31,
        OptionalLong.of(pid),
        OptionalInt.empty(),
        "Ch 00000007, intr 00000000. MMU Fault: ENGINE GRAPHICS");
  }

  private XidRepeatTest link(String gpu, int link, String firstRegister) {
    return xid(
        gpu,
        74,
        OptionalLong.empty(),
        OptionalInt.empty(),
        "NVLink: fatal error detected on link "
            + link
            + "("
            + firstRegister
            + ", 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)");
  }

  private XidRepeatTest boot(String instance) {
    return happens(new Event.Booted(now, "boot-" + events.size(), instance));
  }

  private List<Detection> detections() {
    NodeSnapshot view =
        new NodeSnapshot(
            now,
            new NodeFacts(
                "node",
                "",
                "",
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty()),
            new DriverStatus.Up("580.95.05", 8),
            NodeSnapshot.AgentStatus.ALL_AVAILABLE,
            List.of(
                new GpuStatus(
                    new PartStatus(
                        Subject.Gpu.KIND, GPU_3, PartStatus.State.ANSWERS, "", Values.NONE),
                    3,
                    "0000:53:00",
                    model)),
            List.of(),
            new History(events),
            Trends.NONE);
    return new XidRule(XidRepeatTest::policy, WORDS, XidDetails::of)
        .evaluate(
            view, new RulePolicy(XidRule.specification(), true, Disposition.info(), thresholds));
  }

  private List<Detection> repeated() {
    return detections().stream()
        .filter(detection -> detection.rule().endsWith("_repeated"))
        .toList();
  }

  private Detection onlyRepeated() {
    List<Detection> detections = repeated();
    assertThat(detections).hasSize(1);
    return detections.get(0);
  }

  private Disposition callOf74() {
    return detections().stream()
        .filter(detection -> detection.rule().equals("xid_74"))
        .findFirst()
        .orElseThrow()
        .disposition();
  }

  @Test
  void twoProcessesWithAnExceptionAtTheSamePlaceAreAHardwareFault() {
    sm(GPU_3, 100, 1, 3).hoursLater(5).sm(GPU_3, 200, 1, 3);

    Detection detection = onlyRepeated();
    assertThat(detection.rule()).isEqualTo("xid_13_repeated");
    assertThat(detection.subject().text()).isEqualTo("gpu:" + GPU_3);
    assertThat(detection.disposition()).isEqualTo(WATCH);
    assertThat(detection.what())
        .isEqualTo("XID 13, name of 13, in 2 processes at the same place (GPC 1, TPC 3)");
    assertThat(detection.why()).contains("field diagnostic", "dcgmi diag -r 4").endsWith(".");
    assertThat(detection.document()).isEqualTo("NVIDIA XID catalogue, WORKFLOW_XID_13");
    assertThat(detection.since()).contains(START);
    assertThat(detection.last()).contains(now);
    assertThat(detection.times()).isEqualTo(2);
    assertThat(detection.sources()).containsExactly("kernel log");
  }

  @Test
  void aProgramThatItsJobStartsAgainIsInformation() {
    // 100 and 1100 have the same name.
    sm(GPU_3, 100, 1, 3).hoursLater(5).sm(GPU_3, 1_100, 1, 3);

    assertThat(onlyRepeated().disposition()).isEqualTo(Disposition.info());
    assertThat(onlyRepeated().why()).contains("the same name");
  }

  @Test
  void oneExceptionIsTheApplications() {
    sm(GPU_3, 100, 1, 3);

    assertThat(detections()).extracting(Detection::disposition).containsExactly(RESTART);
  }

  @Test
  void oneProcessThatFailsAgainAndAgainIsTheApplication() {
    for (int i = 0; i < 20; i++) {
      sm(GPU_3, 100, 1, 3).hoursLater(0.1);
    }
    assertThat(repeated()).isEmpty();
  }

  @Test
  void differentPlacesAreTheApplication() {
    sm(GPU_3, 100, 1, 3).sm(GPU_3, 200, 1, 4).sm(GPU_3, 300, 2, 3);

    assertThat(repeated()).isEmpty();
  }

  @Test
  void aProgramThatFailsEverywhereIsWrongThoughItsPlacesRepeat() {
    for (int run = 1; run <= 3; run++) {
      sm(GPU_3, run, 0, 0).sm(GPU_3, run, 0, 1).sm(GPU_3, run, 0, 2).hoursLater(1);
    }
    assertThat(repeated()).isEmpty();

    sm(GPU_3, 7, 0, 1).hoursLater(1).sm(GPU_3, 8, 0, 1);
    assertThat(onlyRepeated().what()).contains("in 2 processes", "(GPC 0, TPC 1)");
  }

  @Test
  void aProgramThatFailsAtTheSamePlaceOfSeveralGpusIsWrong() {
    sm(GPU_2, 100, 0, 0).sm(GPU_3, 101, 0, 0).hoursLater(1);
    sm(GPU_2, 200, 0, 0).sm(GPU_3, 201, 0, 0);
    assertThat(repeated()).isEmpty();

    sm(GPU_3, 300, 1, 3).hoursLater(1).sm(GPU_3, 400, 1, 3);
    assertThat(onlyRepeated().what()).contains("(GPC 1, TPC 3)");
  }

  @Test
  void theSamePlaceOfTwoGpusIsNotTheSamePlace() {
    sm(GPU_2, 100, 1, 3).sm(GPU_3, 200, 1, 3);

    assertThat(repeated()).isEmpty();
  }

  @Test
  void twoInstancesOfMigCountTheirPlacesForThemselves() {
    xid(GPU_3, 13, OptionalLong.of(100), OptionalInt.of(5), at(0, 1));
    xid(GPU_3, 13, OptionalLong.of(200), OptionalInt.of(6), at(0, 1));
    assertThat(repeated()).isEmpty();

    xid(GPU_3, 13, OptionalLong.of(300), OptionalInt.of(6), at(0, 1));
    assertThat(onlyRepeated().what()).contains("GPU-I 6, GPC 0, TPC 1");
  }

  @Test
  void pageFaultsOfTenantsOnDifferentMigInstancesAreNoRepetition() {
    xid(GPU_3, 31, OptionalLong.of(100), OptionalInt.of(5), "MMU Fault");
    xid(GPU_3, 31, OptionalLong.of(200), OptionalInt.of(6), "MMU Fault");
    assertThat(repeated()).isEmpty();

    xid(GPU_3, 31, OptionalLong.of(300), OptionalInt.of(6), "MMU Fault");
    assertThat(onlyRepeated().what()).contains("(MIG instance 6)");
  }

  @Test
  void aProgramThatFailsOnInstancesOfTwoGpusIsAtFault() {
    xid(GPU_3, 31, OptionalLong.of(100), OptionalInt.of(5), "MMU Fault");
    xid(GPU_3, 31, OptionalLong.of(200), OptionalInt.of(5), "MMU Fault");
    xid(GPU_2, 31, OptionalLong.of(300), OptionalInt.of(6), "MMU Fault");
    xid(GPU_2, 31, OptionalLong.of(400), OptionalInt.of(6), "MMU Fault");
    assertThat(repeated()).isEmpty();
  }

  @Test
  void aProgramThatFailsOnTwoInstancesOfOneGpuIsAtFault() {
    for (int process = 1; process <= 4; process++) {
      OptionalInt instance = OptionalInt.of(process <= 2 ? 5 : 6);
      xid(GPU_3, 31, OptionalLong.of(1_000L * process + 7), instance, "MMU Fault");
      xid(GPU_3, 13, OptionalLong.of(1_000L * process + 8), instance, at(0, process <= 2 ? 1 : 2));
    }
    assertThat(repeated()).isEmpty();
  }

  @Test
  void differentProgramsOnTwoInstancesOfOneGpuPointToTheGpu() {
    for (int process = 1; process <= 4; process++) {
      int instance = process <= 2 ? 5 : 6;
      long pid = 1_000L * process + instance;
      xid(GPU_3, 31, OptionalLong.of(pid), OptionalInt.of(instance), "MMU Fault");
    }
    Detection detection = onlyRepeated();
    assertThat(detection.what())
        .contains("(MIG instance 5) and in 2 processes at the same place (MIG instance 6)");
    assertThat(detection.disposition()).isEqualTo(WATCH);
    assertThat(detection.why()).startsWith("One GPU on which several processes fail");
  }

  @Test
  void aProgramThatFailsAtOnePlaceOfTheInstancesOfTwoGpusIsAtFault() {
    xid(GPU_3, 13, OptionalLong.of(100), OptionalInt.of(5), at(0, 0));
    xid(GPU_3, 13, OptionalLong.of(200), OptionalInt.of(5), at(0, 0));
    xid(GPU_2, 13, OptionalLong.of(300), OptionalInt.of(6), at(0, 0));
    xid(GPU_2, 13, OptionalLong.of(400), OptionalInt.of(6), at(0, 0));
    assertThat(repeated()).isEmpty();
  }

  @Test
  void twoPlacesOfAGpuAreOneFindingThatNamesBoth() {
    xid(GPU_3, 13, OptionalLong.of(100), OptionalInt.of(5), at(0, 1));
    xid(GPU_3, 13, OptionalLong.of(1_100), OptionalInt.of(5), at(0, 1));
    hoursLater(1);
    xid(GPU_3, 13, OptionalLong.of(300), OptionalInt.of(6), at(0, 2));
    xid(GPU_3, 13, OptionalLong.of(400), OptionalInt.of(6), at(0, 2));

    Detection detection = onlyRepeated();
    assertThat(detection.what())
        .contains("(GPU-I 5, GPC 0, TPC 1) and in 2 processes", "(GPU-I 6, GPC 0, TPC 2)");
    assertThat(detection.disposition()).as("two programs fail on 6").isEqualTo(WATCH);
    assertThat(detection.times()).isEqualTo(4);
    assertThat(detection.since()).contains(START);
    assertThat(detection.last()).contains(now);
  }

  @Test
  void processesThatTheDriverDoesNotNameCannotBeDistinguished() {
    for (int i = 0; i < 5; i++) {
      xid(GPU_3, 13, OptionalLong.empty(), OptionalInt.empty(), at(1, 3)).hoursLater(1);
    }
    assertThat(repeated()).isEmpty();
  }

  @Test
  void aPidThatComesAgainAfterABootIsAnotherProcess() {
    boot("i-1").sm(GPU_3, 100, 1, 3).hoursLater(1).boot("i-1").hoursLater(1).sm(GPU_3, 100, 1, 3);

    assertThat(onlyRepeated().what()).contains("2 processes");
  }

  @Test
  void moreThanADayApartIsChance() {
    sm(GPU_3, 100, 1, 3).hoursLater(24.5).sm(GPU_3, 200, 1, 3);
    assertThat(repeated()).isEmpty();

    hoursLater(23.5).sm(GPU_3, 300, 1, 3);
    assertThat(onlyRepeated().since()).contains(START.plus(Duration.ofMinutes(24 * 60 + 30)));
  }

  @Test
  void itIsOverAfterADayWithoutAnother() {
    sm(GPU_3, 100, 1, 3).hoursLater(1).sm(GPU_3, 200, 1, 3).hoursLater(20).sm(GPU_3, 300, 1, 3);
    hoursLater(23.9);
    assertThat(onlyRepeated().what()).contains("3 processes");

    hoursLater(0.2);
    assertThat(repeated()).isEmpty();

    sm(GPU_3, 400, 1, 3);
    assertThat(repeated()).isEmpty();
  }

  @Test
  void neitherAResetNorARebootMendsAChip() {
    sm(GPU_3, 100, 1, 3).sm(GPU_3, 200, 1, 3).hoursLater(1);
    happens(new Event.GpuReset(now, GPU_3, "test")).boot("i-1");
    assertThat(repeated()).hasSize(1);

    hoursLater(1).boot("i-2");
    assertThat(repeated()).isEmpty();
  }

  @Test
  void anOperatorEndsItByItsOwnName() {
    sm(GPU_3, 100, 1, 3).sm(GPU_3, 200, 1, 3);
    happens(new Event.OperatorCleared(now, "xid_13", "gpu:" + GPU_3, ""));
    happens(new Event.OperatorCleared(now, "xid_13_repeated", "gpu:" + GPU_2, ""));
    assertThat(repeated()).hasSize(1);

    happens(new Event.OperatorCleared(now, "xid_13_repeated", "gpu:" + GPU_3, ""));
    assertThat(repeated()).isEmpty();
  }

  @Test
  void pageFaultsOfTwoProcessesOnOneGpuAreAHardwareFault() {
    pageFault(GPU_3, 100);
    assertThat(repeated()).isEmpty();

    hoursLater(2).pageFault(GPU_3, 100);
    assertThat(repeated()).isEmpty();

    hoursLater(2).pageFault(GPU_3, 200);
    assertThat(onlyRepeated().rule()).isEqualTo("xid_31_repeated");
    assertThat(onlyRepeated().disposition()).isEqualTo(WATCH);
    assertThat(onlyRepeated().what()).isEqualTo("XID 31, name of 31, in 2 processes on this GPU");
    assertThat(onlyRepeated().why()).contains("no other GPU", "dcgmi diag -r 4");
  }

  @Test
  void pageFaultsOnOneGpuAfterTheOtherAreTheApplication() {
    pageFault(GPU_2, 100).pageFault(GPU_3, 101);
    assertThat(repeated()).isEmpty();

    hoursLater(1).pageFault(GPU_2, 200).pageFault(GPU_3, 201);
    assertThat(repeated()).isEmpty();
  }

  @Test
  void howManyProcessesItTakesIsTheSites() {
    thresholds.put("repeat_processes", 3.0);
    pageFault(GPU_3, 100).pageFault(GPU_3, 200);
    assertThat(repeated()).isEmpty();

    pageFault(GPU_3, 300);
    assertThat(onlyRepeated().what()).contains("3 processes");
  }

  @Test
  void theThirdParityErrorOfALinkIsTheLinks() {
    link(GPU_3, 7, PARITY).hoursLater(1).link(GPU_3, 7, PARITY);
    assertThat(callOf74()).isEqualTo(WATCH);

    hoursLater(1).link(GPU_3, 7, PARITY);
    assertThat(callOf74()).isEqualTo(ROW_OF_74);
  }

  @Test
  void marginalSignalsCountTooAndWithParityErrors() {
    link(GPU_3, 7, SIGNAL).hoursLater(1).link(GPU_3, 7, PARITY).hoursLater(1);
    assertThat(callOf74()).isEqualTo(WATCH);

    link(GPU_3, 7, SIGNAL);
    assertThat(callOf74()).isEqualTo(ROW_OF_74);
  }

  @Test
  void threeLinksWithOneErrorEachAreWatched() {
    link(GPU_3, 7, PARITY).link(GPU_3, 8, PARITY).link(GPU_3, 9, PARITY).link(GPU_2, 7, PARITY);

    assertThat(detections()).extracting(Detection::disposition).containsOnly(WATCH);
  }

  @Test
  void whatOnlyFollowsFromAFaultElsewhereDoesNotCount() {
    for (int i = 0; i < 9; i++) {
      link(GPU_3, 7, SECONDARY);
    }
    assertThat(callOf74()).as("alone it is worth a report").isEqualTo(WATCH);

    link(GPU_3, 7, PARITY);
    assertThat(callOf74()).isEqualTo(WATCH);
  }

  @Test
  void aSecondaryErrorBesideAFaultOfASwitchOrAnotherGpuIsInformation() {
    link(GPU_3, 7, SECONDARY);
    happens(
        new Event.SXid(
            now,
            "nvidia-nvswitch0",
            "",
            24_007,
            true,
            OptionalInt.empty(),
            "sourcetrack timeout error",
            1,
            OptionalLong.empty()));
    assertThat(callOf74()).isEqualTo(Disposition.info());
  }

  @Test
  void theRegistersOfAGpuBeforeHopperDecideNothing() {
    model = "NVIDIA A100-SXM4-40GB";
    link(GPU_3, 7, SECONDARY);
    assertThat(callOf74()).isEqualTo(ROW_OF_74);
    model = "NVIDIA H100 80GB HBM3";
    assertThat(callOf74()).isEqualTo(WATCH);
  }

  @Test
  void errorsThatAPeersDeathExplainsDoNotCount() {
    link(GPU_3, 7, PARITY).link(GPU_3, 7, PARITY).link(GPU_3, 7, PARITY);
    xid(GPU_2, 79, OptionalLong.empty(), OptionalInt.empty(), "GPU has fallen off the bus.");
    assertThat(callOf74()).isEqualTo(Disposition.info());

    hoursLater(1).link(GPU_3, 7, PARITY);
    assertThat(callOf74()).isEqualTo(WATCH);
  }

  @Test
  void threeErrorsOfALinkInThreeDaysAreWatched() {
    for (int day = 0; day < 3; day++) {
      link(GPU_3, 7, PARITY).hoursLater(23);
    }
    assertThat(callOf74()).isEqualTo(WATCH);
  }

  @Test
  void aLinkWithErrorsAfterAResetEscalates() {
    link(GPU_3, 7, PARITY).link(GPU_3, 7, PARITY).hoursLater(1);
    happens(new Event.GpuReset(now, GPU_3, "test")).hoursLater(1).link(GPU_3, 7, PARITY);

    assertThat(callOf74()).isEqualTo(ROW_OF_74);
  }

  @Test
  void anotherMachineAndAnOperatorRestartTheCountOfALink() {
    boot("i-1").link(GPU_3, 7, PARITY).link(GPU_3, 7, PARITY).hoursLater(1);
    boot("i-2").link(GPU_3, 7, PARITY);
    assertThat(callOf74()).isEqualTo(WATCH);

    link(GPU_3, 7, PARITY).happens(new Event.OperatorCleared(now, "xid_74", "", ""));
    link(GPU_3, 7, PARITY);
    assertThat(callOf74()).isEqualTo(WATCH);
  }
}
