package io.lapwing.dcgm;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmValues.Sample;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JnaDcgmTest {

  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final DcgmEntity GPU_1 = new DcgmEntity(DcgmEntity.Kind.GPU, 1);
  private static final List<DcgmFieldId> FIELDS =
      List.of(
          DcgmFieldId.PROF_SM_ACTIVE,
          DcgmFieldId.PROF_PIPE_TENSOR_ACTIVE,
          DcgmFieldId.PROF_PCIE_TX_BYTES);

  private SimulatedNode node;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = StillNode.of("p4d.24xlarge", dir);
  }

  private Dcgm dcgm() {
    return StillNode.present(JnaDcgm.load(List.of(node.dcgmLibrary(4).toString())));
  }

  private DcgmEngine engine() {
    return StillNode.present(dcgm().connect(DcgmAddress.TCP));
  }

  /** The agent has several, and the second to watch would lose a field for the name of a group. */
  @Test
  void connectionsOfOneProcessDoNotTakeEachOthersNames() {
    Dcgm dcgm = dcgm();
    DcgmEngine first = StillNode.present(dcgm.connect(DcgmAddress.TCP));
    DcgmEngine second = StillNode.present(dcgm.connect(DcgmAddress.TCP));
    assertThat(StillNode.present(first.watch(List.of(GPU_1), FIELDS, EVERY)).rejected()).isEmpty();
    assertThat(StillNode.present(second.watch(List.of(GPU_1), FIELDS, EVERY)).rejected()).isEmpty();
  }

  private static Sample sample(DcgmWatch watch, DcgmFieldId field) {
    return StillNode.present(StillNode.present(watch.latest()).get(GPU_1, field));
  }

  private static Reading<Sample> reading(DcgmWatch watch, DcgmFieldId field) {
    return StillNode.present(watch.latest()).get(GPU_1, field);
  }

  @Test
  void theFirstLibraryThatIsThereIsLoaded() {
    String missing = node.dir().resolve("lib/libdcgm.so.5").toString();
    Dcgm dcgm = StillNode.present(JnaDcgm.load(List.of(missing, node.dcgmLibrary(3).toString())));

    assertThat(dcgm.version()).isEqualTo("3.3.9");
    assertThat(dcgm().version()).isEqualTo("4.4.2");
  }

  @Test
  void aMissingLibraryAndAnotherOneAreToldApart() throws Exception {
    Path other = node.dir().resolve("lib-empty/libempty.so");
    Path text = Files.writeString(node.dir().resolve("libdcgm.so.4"), "no library");

    assertThat(JnaDcgm.load(List.of("libdcgm.so.5000")).failure()).contains("library_not_found");
    assertThat(JnaDcgm.load(List.of(other.toString())).failure()).contains("not_dcgm");
    assertThat(JnaDcgm.load(List.of(text.toString())).failure()).contains("not_dcgm");
  }

  @Test
  void anEngineThatDoesNotRunIsNotConnectedTo() {
    node.set("dcgm.engine", "0");
    assertThat(dcgm().connect(DcgmAddress.UNIX).failure()).contains("connection_not_valid");
  }

  @Test
  void anEngineOfAnotherMajorVersionIsRefusedAndLeft() {
    node.set("dcgm.version", "3.3.9");
    assertThat(dcgm().connect(DcgmAddress.TCP))
        .isEqualTo(new Reading.Failed<>("libdcgm 4.4.2, host engine 3.3.9", "version_mismatch"));
  }

  @Test
  void entitiesAreGpusAndSwitchesAndInstances() {
    node.set("dcgm.switches", "6");
    node.set("gpu.2.missing", "1");
    DcgmEngine engine = engine();

    assertThat(StillNode.present(engine.entities(DcgmEntity.Kind.GPU)))
        .extracting(DcgmEntity::id)
        .containsExactly(0, 1, 3, 4, 5, 6, 7);
    assertThat(StillNode.present(engine.entities(DcgmEntity.Kind.NVSWITCH))).hasSize(6);
    assertThat(StillNode.present(engine.entities(DcgmEntity.Kind.GPU_INSTANCE))).isEmpty();
    assertThat(StillNode.present(engine.uuid(GPU_1)))
        .isEqualTo(StillNode.present(StillNode.gpu(node, 1).uuid()));
  }

  /** Versions 4 and 3 of the struct, after version 5, which these libraries refuse. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void linksOfSwitchesThatAreNotDisabledAreEntities(int major) {
    node.setAll(
        Map.of(
            "dcgm.switches", "6",
            "dcgm.ports", "2",
            "dcgm.link.4.0.status", "3",
            "dcgm.link.5.63.status", "2",
            "dcgm.link.5.1.status", "1"));
    Dcgm dcgm = StillNode.present(JnaDcgm.load(List.of(node.dcgmLibrary(major).toString())));
    DcgmEngine engine = StillNode.present(dcgm.connect(DcgmAddress.TCP));
    List<DcgmEntity> links = StillNode.present(engine.switchLinks());

    assertThat(links.subList(8, 12))
        .extracting(DcgmLink::of)
        .containsExactly(
            new DcgmLink(4, 0), new DcgmLink(4, 1), new DcgmLink(5, 0), new DcgmLink(5, 63));
    assertThat(links.get(0)).isEqualTo(new DcgmEntity(DcgmEntity.Kind.NVLINK, 3));
    assertThat(links.get(11)).isEqualTo(new DcgmLink(5, 63).entity());
  }

  @Test
  void instancesOfMigHaveTheirGpuTheirIdAndTheirProfile() {
    assertThat(StillNode.present(engine().instances())).isEmpty();
    node.setAll(
        Map.of(
            "gpu.2.missing", "1",
            "gpu.3.mig.mode", "1",
            "gpu.3.mig.instances", "7:1g.10gb@0 9:3g.40gb@4"));
    DcgmEntity third = new DcgmEntity(DcgmEntity.Kind.GPU, 3);
    assertThat(StillNode.present(engine().instances()))
        .containsExactly(
            new DcgmInstance(new DcgmEntity(DcgmEntity.Kind.GPU_INSTANCE, 24), third, 7, 19),
            new DcgmInstance(new DcgmEntity(DcgmEntity.Kind.GPU_INSTANCE, 25), third, 9, 9));
  }

  @Test
  void aNodeWithoutSwitchesHasNoLinks() {
    assertThat(StillNode.present(engine().switchLinks())).isEmpty();
    node.set("system.return.dcgmGetNvLinkLinkStatus", "12");
    assertThat(engine().switchLinks().failure()).contains("version_mismatch");
  }

  /** A group has room for 64, and one call is for a part of them. */
  @Test
  void moreEntitiesThanAGroupTakesAreWatchedInParts() {
    node.setAll(
        Map.of(
            "dcgm.switches", "6",
            "dcgm.ports", "24",
            "dcgm.link.5.23.crc", "7",
            "dcgm.link.0.0.ecc", "blank",
            "dcgm.reject.784", "6"));
    DcgmEngine engine = engine();
    List<DcgmEntity> links = StillNode.present(engine.switchLinks());
    DcgmWatch watch =
        StillNode.present(
            engine.watch(
                links,
                List.of(
                    DcgmFieldId.DEV_NVSWITCH_LINK_CRC_ERRORS,
                    DcgmFieldId.DEV_NVSWITCH_LINK_ECC_ERRORS,
                    DcgmFieldId.DEV_NVSWITCH_LINK_REPLAY_ERRORS,
                    DcgmFieldId.DEV_NVSWITCH_LINK_FATAL_ERRORS,
                    DcgmFieldId.DEV_NVSWITCH_LINK_STATUS),
                EVERY));
    DcgmValues values = StillNode.present(watch.latest());

    assertThat(links).hasSize(144);
    assertThat(watch.rejected())
        .isEqualTo(Map.of(DcgmFieldId.DEV_NVSWITCH_LINK_REPLAY_ERRORS, "not_supported"));
    assertThat(links)
        .allSatisfy(
            link ->
                assertThat(
                        StillNode.present(values.get(link, DcgmFieldId.DEV_NVSWITCH_LINK_STATUS))
                            .value())
                    .isEqualTo(2));
    assertThat(
            links.stream()
                .filter(
                    link ->
                        StillNode.present(
                                    values.get(link, DcgmFieldId.DEV_NVSWITCH_LINK_CRC_ERRORS))
                                .value()
                            == 7))
        .containsExactly(new DcgmLink(5, 23).entity());
    assertThat(values.get(links.get(0), DcgmFieldId.DEV_NVSWITCH_LINK_ECC_ERRORS).failure())
        .contains("blank");
    assertThat(values.get(links.get(0), DcgmFieldId.DEV_NVSWITCH_LINK_FATAL_ERRORS).failure())
        .contains("no_data");
    watch.close();
    assertThat(StillNode.present(watch.latest()).samples().values())
        .allSatisfy(sample -> assertThat(sample.failure()).contains("not_watched"));
  }

  @Test
  void cpusAreEntitiesWhereTheEngineKnowsThem() {
    assertThat(engine().entities(DcgmEntity.Kind.CPU).failure()).contains("module_not_loaded");
    node.setAll(Map.of("dcgm.cpus", "2", "dcgm.cpu.1.power", "187.5"));
    DcgmEngine engine = engine();
    List<DcgmEntity> cpus = StillNode.present(engine.entities(DcgmEntity.Kind.CPU));
    assertThat(cpus).extracting(DcgmEntity::id).containsExactly(0, 1);

    node.set("dcgm.cpu.0.temperature", "blank");
    DcgmWatch watch =
        StillNode.present(
            engine.watch(
                cpus,
                List.of(DcgmFieldId.DEV_CPU_POWER_UTIL_CURRENT, DcgmFieldId.DEV_CPU_TEMP_CURRENT),
                EVERY));
    DcgmValues values = StillNode.present(watch.latest());
    assertThat(values.get(cpus.get(1), DcgmFieldId.DEV_CPU_POWER_UTIL_CURRENT))
        .isEqualTo(Reading.of(new Sample(187.5, StillNode.EPOCH * 1_000_000)));
    assertThat(values.get(cpus.get(0), DcgmFieldId.DEV_CPU_TEMP_CURRENT).failure())
        .contains("blank");
  }

  @Test
  void textIsReadAndItsBlanksAreNot() {
    node.set("dcgm.imex.domain", "DEGRADED");
    DcgmWatch watch =
        StillNode.present(
            engine().watch(List.of(GPU_1), List.of(DcgmFieldId.IMEX_DOMAIN_STATUS), EVERY));
    assertThat(sample(watch, DcgmFieldId.IMEX_DOMAIN_STATUS).text()).isEqualTo("DEGRADED");

    node.set("dcgm.imex.domain", "<<<NOT_SUPPORTED>>>");
    assertThat(reading(watch, DcgmFieldId.IMEX_DOMAIN_STATUS))
        .isInstanceOf(Reading.Unsupported.class);
    node.set("dcgm.imex.domain", "<<<NULL>>>");
    assertThat(reading(watch, DcgmFieldId.IMEX_DOMAIN_STATUS).failure()).contains("blank");
  }

  @Test
  void aFieldOfALaterReleaseIsUnknownToAnEarlierOne() {
    Dcgm old = StillNode.present(JnaDcgm.load(List.of(node.dcgmLibrary(3).toString())));
    DcgmEngine engine = StillNode.present(old.connect(DcgmAddress.TCP));
    assertThat(
            engine.watch(List.of(GPU_1), List.of(DcgmFieldId.IMEX_DAEMON_STATUS), EVERY).failure())
        .contains("unknown_field");
  }

  @Test
  void anEngineBehindVsockIsConnectedToByItsUri() {
    DcgmAddress host = DcgmAddress.of("vsock://2:5555");
    DcgmEngine engine = StillNode.present(dcgm().connect(host));
    assertThat(StillNode.present(engine.entities(DcgmEntity.Kind.GPU))).hasSize(8);

    node.set("dcgm.engine", "0");
    assertThat(dcgm().connect(host).failure()).contains("connection_not_valid");
    Dcgm old = StillNode.present(JnaDcgm.load(List.of(node.dcgmLibrary(3).toString())));
    assertThat(old.connect(host))
        .isEqualTo(new Reading.Failed<>("libdcgm 3.3.9 without vsock", "no_vsock"));
  }

  @Test
  void aSampleIsTheAverageOfThePeriodBeforeIt() {
    node.setAll(
        Map.of(
            "gpu.1.gpm.sm_active", "20 + 2/s",
            "gpu.1.gpm.tensor", "50",
            "gpu.1.pcie.tx", "1000"));
    DcgmWatch watch = StillNode.present(engine().watch(List.of(GPU_1), FIELDS, EVERY));

    assertThat(reading(watch, DcgmFieldId.PROF_SM_ACTIVE).failure()).contains("no_data");
    StillNode.letPass(node, 12);
    // From second 5 to second 10 the activity rises from 30 to 40 percent.
    assertThat(sample(watch, DcgmFieldId.PROF_SM_ACTIVE))
        .isEqualTo(new Sample(0.35, (StillNode.EPOCH + 10) * 1_000_000));
    assertThat(sample(watch, DcgmFieldId.PROF_PIPE_TENSOR_ACTIVE).value()).isEqualTo(0.5);
    assertThat(sample(watch, DcgmFieldId.PROF_PCIE_TX_BYTES).value()).isEqualTo(1_048_576_000.0);
  }

  @Test
  void aRejectedFieldCostsItselfOnly() {
    node.set("dcgm.reject.1004", "38");
    DcgmWatch watch = StillNode.present(engine().watch(List.of(GPU_1), FIELDS, EVERY));
    StillNode.letPass(node, 5);

    assertThat(watch.rejected())
        .isEqualTo(Map.of(DcgmFieldId.PROF_PIPE_TENSOR_ACTIVE, "profiling_multi_pass"));
    assertThat(reading(watch, DcgmFieldId.PROF_PIPE_TENSOR_ACTIVE))
        .isInstanceOf(Reading.Unsupported.class);
    assertThat(sample(watch, DcgmFieldId.PROF_PCIE_TX_BYTES).value()).isPositive();
  }

  @Test
  void aWatchOfWhichEveryFieldIsRejectedSaysWhy() {
    node.set("dcgm.reject.*", "36");
    assertThat(engine().watch(List.of(GPU_1), FIELDS, EVERY))
        .isEqualTo(new Reading.Failed<>("dcgmWatchFields", "profiling_not_supported"));
  }

  /** An engine has room for 64 groups, of all clients together. */
  @Test
  void watchesThatAreClosedOrRefusedLeaveNoGroupBehind() {
    DcgmEngine engine = engine();
    node.set("dcgm.reject.1004", "38");
    for (int i = 0; i < 70; i++) {
      StillNode.present(engine.watch(List.of(GPU_1), FIELDS, EVERY)).close();
    }
    node.set("dcgm.reject.*", "33");
    for (int i = 0; i < 70; i++) {
      assertThat(engine.watch(List.of(GPU_1), FIELDS, EVERY).failure())
          .contains("module_not_loaded");
    }
  }

  @Test
  void pausedProfilingLeavesBlankValues() {
    DcgmEngine engine = engine();
    DcgmWatch watch = StillNode.present(engine.watch(List.of(GPU_1), FIELDS, EVERY));
    StillNode.letPass(node, 5);
    assertThat(StillNode.present(engine.profilingPaused())).isFalse();

    node.set("dcgm.paused", "1");
    assertThat(reading(watch, DcgmFieldId.PROF_SM_ACTIVE).failure()).contains("blank");
    assertThat(reading(watch, DcgmFieldId.PROF_PCIE_TX_BYTES).failure()).contains("blank");
    assertThat(StillNode.present(engine.profilingPaused())).isTrue();
  }

  @Test
  void aValueThatTheGpuDoesNotHaveIsUnsupported() {
    node.set("gpu.1.gpm.sm_active", "unsupported");
    DcgmWatch watch = StillNode.present(engine().watch(List.of(GPU_1), FIELDS, EVERY));
    StillNode.letPass(node, 5);
    assertThat(reading(watch, DcgmFieldId.PROF_SM_ACTIVE)).isInstanceOf(Reading.Unsupported.class);
  }

  @Test
  void aLostGpuFailsForItself() {
    DcgmWatch watch = StillNode.present(engine().watch(List.of(GPU_1), FIELDS, EVERY));
    node.set("gpu.1.lost", "1");
    assertThat(reading(watch, DcgmFieldId.PROF_SM_ACTIVE).failure()).contains("gpu_is_lost");
  }

  @Test
  void anEngineThatWasRestartedIsAnotherOne() {
    DcgmEngine engine = engine();
    DcgmWatch watch = StillNode.present(engine.watch(List.of(GPU_1), FIELDS, EVERY));
    node.set("dcgm.generation", "1");

    assertThat(watch.latest().failure()).contains("connection_not_valid");
    engine.close();
    assertThat(StillNode.present(engine().entities(DcgmEntity.Kind.GPU))).hasSize(8);
  }

  /** DCGM 3 knows the older parameters only. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void anEmbeddedEngineNeedsNoOther(int major) {
    node.set("dcgm.engine", "0");
    Dcgm dcgm = StillNode.present(JnaDcgm.load(List.of(node.dcgmLibrary(major).toString())));
    DcgmEngine engine = StillNode.present(dcgm.startEmbedded());

    assertThat(StillNode.present(engine.entities(DcgmEntity.Kind.GPU))).hasSize(8);
    engine.close();
    assertThat(engine.entities(DcgmEntity.Kind.GPU).failure()).contains("connection_not_valid");
  }
}
