package io.lapwing.agent.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.replay.ReplayOutput.Counts;
import io.lapwing.agent.replay.ReplayOutput.ReplayedEvent;
import io.lapwing.json.JsonWriter;
import io.lapwing.xid.KernelFact;
import io.lapwing.xid.PciAddress;
import io.lapwing.xid.XidDetail;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A replay as words and as JSON. */
class ReplayOutputTest {

  private static final Instant AT = Instant.parse("2026-11-20T03:12:44Z");
  private static final PciAddress PCI = new PciAddress(0, 0x53, 0);
  private static final Disposition RESET = Disposition.failing(Action.RESET_GPU, Urgency.NOW);

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream stream = new PrintStream(bytes, false, StandardCharsets.UTF_8);

  private static KernelFact.Xid xid(int number, String message, XidDetail detail) {
    return new KernelFact.Xid(
        PCI,
        OptionalInt.empty(),
        OptionalInt.empty(),
        number,
        OptionalLong.empty(),
        Optional.empty(),
        message,
        OptionalInt.empty(),
        detail);
  }

  private static ReplayedEvent event(KernelFact fact, Disposition call) {
    return new ReplayedEvent(Optional.of(AT), fact, Optional.of(call));
  }

  private static ReplayedEvent event(KernelFact fact) {
    return new ReplayedEvent(Optional.of(AT), fact, Optional.empty());
  }

  private static final KernelFact OF_A_PROCESS =
      new KernelFact.Xid(
          PCI,
          OptionalInt.of(5),
          OptionalInt.of(0),
          43,
          OptionalLong.of(7194),
          Optional.of("python\u001b[2J"),
          "Ch 00000008 caused by previous Xid 31",
          OptionalInt.of(31),
          XidDetail.NONE);

  private static final KernelFact SXID =
      new KernelFact.SXid(
          "nvidia-nvswitch0",
          new PciAddress(0, 0xc3, 0),
          20009,
          Optional.of(false),
          OptionalInt.of(28),
          "RX Short Error Rate");

  private static final KernelFact INIT =
      new KernelFact.InitFailed(PCI, "RmInitAdapter failed! (0x62:0x40:2477)", false);

  private static final KernelFact LINKS =
      new KernelFact.NvlinkTrainingFailed("knvlinkX: Failed to update Rx Detect Link mask!");

  private static void play(ReplayOutput output) {
    output.event(event(new KernelFact.DriverLoaded("580.95.05")));
    output.event(event(new KernelFact.GpuAt(PCI, "GPU-1")));
    output.event(event(new KernelFact.BoardSerial("1650924060039")));
    output.event(event(OF_A_PROCESS, Disposition.degraded(Action.RESTART_APP, Urgency.JOB_END)));
    output.event(event(SXID, Disposition.info()));
    output.event(
        new ReplayedEvent(
            Optional.empty(),
            new KernelFact.OffBus(PCI, "GPU has fallen off the bus."),
            Optional.of(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW))));
    output.verdict(AT, Verdict.DEGRADED, Verdict.FAILING, Action.REPLACE_NODE, "GPU 3 is\ngone");
    output.verdict(AT, Verdict.FAILING, Verdict.HEALTHY, Action.NONE, "booted");
    output.boot(Optional.of(AT), "91e5da22438a3d879584c0c11f0a2df0");
    output.event(event(INIT, Disposition.failing(Action.REBOOT_NODE, Urgency.NOW)));
    output.event(event(LINKS, Disposition.WATCH));
    output.boot(Optional.empty(), "");
    output.end(MadeReports.failing(), new Counts(1200, 500, 400, 8));
  }

  private String written() {
    stream.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void peopleReadLines() {
    play(new ReplayText(stream));

    assertThat(written())
        .isEqualTo(
            """
            2026-11-20 03:12:44Z  driver                                                           version 580.95.05
            2026-11-20 03:12:44Z  GPU        0000:53:00                                            GPU-1
            2026-11-20 03:12:44Z  board                                                            serial 1650924060039
            2026-11-20 03:12:44Z  XID 43     0000:53:00 GI5 CI0   degraded, restart_app, job end   pid 7194 python?[2J: Ch 00000008 caused by previous Xid 31
            2026-11-20 03:12:44Z  SXid 20009 nvidia-nvswitch0     info                             not fatal: link 28 RX Short Error Rate
                                  off bus    0000:53:00           failing, replace_node, now       GPU has fallen off the bus.
            2026-11-20 03:12:44Z  VERDICT    degraded -> failing, replace_node: GPU 3 is gone
            2026-11-20 03:12:44Z  VERDICT    failing -> healthy: booted
            2026-11-20 03:12:44Z  boot       91e5da22438a3d879584c0c11f0a2df0
            2026-11-20 03:12:44Z  GPU init   0000:53:00           failing, reboot_node, now        RmInitAdapter failed! (0x62:0x40:2477)
            2026-11-20 03:12:44Z  NVLink                          degraded, watch, job end         knvlinkX: Failed to update Rx Detect Link mask!
                                  boot

            1200 lines, 500 in a known form, 400 of the kernel, 8 messages of the driver and of host faults, profile aws
            Warning: 700 of 1200 lines have no known form and were not evaluated
            At the end: FAILING, replace_node
            GPU 3 has fallen off the bus
            - failing, replace_node, now: GPU 3: GPU has fallen off the bus (xid_79, 3 times, since 2026-11-20
              03:12:44Z)
            - degraded, watch, job end: GPU 0: clocks are held down to 1200 MHz of 1980 MHz for heat
              (slow_clocks, since 2026-11-20 03:12:44Z)
            - info: nvidia-nvswitch0: a short error rate on link 28 (sxid_20009, since 2026-11-20 03:12:44Z)
            """);
  }

  @Test
  void programsReadAnObjectOnEachLine() {
    play(new ReplayJson(JsonWriter.lines(stream)));

    assertThat(written().lines().limit(12))
        .containsExactly(
            "{\"time\":\"2026-11-20T03:12:44Z\",\"kind\":\"driver_loaded\",\"version\":\"580.95.05\","
                + "\"severity\":null,\"action\":null,\"urgency\":null}",
            "{\"time\":\"2026-11-20T03:12:44Z\",\"kind\":\"gpu_at\",\"pci\":\"0000:53:00\",\"uuid\":\"GPU-1\","
                + "\"severity\":null,\"action\":null,\"urgency\":null}",
            "{\"time\":\"2026-11-20T03:12:44Z\",\"kind\":\"board_serial\",\"serial\":\"1650924060039\","
                + "\"severity\":null,\"action\":null,\"urgency\":null}",
            "{\"time\":\"2026-11-20T03:12:44Z\",\"kind\":\"xid\",\"pci\":\"0000:53:00\",\"gpu_instance\":5,"
                + "\"compute_instance\":0,\"xid\":43,\"pid\":7194,\"process\":\"python\\u001B[2J\","
                + "\"message\":\"Ch 00000008 caused by previous Xid 31\",\"cause\":31,"
                + "\"severity\":\"degraded\",\"action\":\"restart_app\",\"urgency\":\"job_end\"}",
            "{\"time\":\"2026-11-20T03:12:44Z\",\"kind\":\"sxid\",\"pci\":\"0000:c3:00\","
                + "\"device\":\"nvidia-nvswitch0\",\"sxid\":20009,\"fatal\":false,\"link\":28,"
                + "\"message\":\"RX Short Error Rate\",\"severity\":\"info\",\"action\":\"none\","
                + "\"urgency\":\"job_end\"}",
            "{\"time\":null,\"kind\":\"off_bus\",\"pci\":\"0000:53:00\","
                + "\"message\":\"GPU has fallen off the bus.\",\"severity\":\"failing\","
                + "\"action\":\"replace_node\",\"urgency\":\"now\"}",
            "{\"time\":\"2026-11-20T03:12:44Z\",\"kind\":\"verdict\",\"from\":\"degraded\",\"to\":\"failing\","
                + "\"action\":\"replace_node\",\"why\":\"GPU 3 is\\ngone\"}",
            "{\"time\":\"2026-11-20T03:12:44Z\",\"kind\":\"verdict\",\"from\":\"failing\",\"to\":\"healthy\","
                + "\"action\":\"none\",\"why\":\"booted\"}",
            "{\"time\":\"2026-11-20T03:12:44Z\",\"kind\":\"boot\","
                + "\"boot_id\":\"91e5da22438a3d879584c0c11f0a2df0\"}",
            "{\"time\":\"2026-11-20T03:12:44Z\",\"kind\":\"gpu_init_failed\",\"pci\":\"0000:53:00\","
                + "\"message\":\"RmInitAdapter failed! (0x62:0x40:2477)\",\"severity\":\"failing\","
                + "\"action\":\"reboot_node\",\"urgency\":\"now\"}",
            "{\"time\":\"2026-11-20T03:12:44Z\",\"kind\":\"nvlink_training_failed\","
                + "\"message\":\"knvlinkX: Failed to update Rx Detect Link mask!\","
                + "\"severity\":\"degraded\",\"action\":\"watch\",\"urgency\":\"job_end\"}",
            "{\"time\":null,\"kind\":\"boot\",\"boot_id\":null}");
    assertThat(written().lines().skip(12).toList())
        .singleElement()
        .asString()
        .startsWith(
            "{\"kind\":\"end\",\"lines\":1200,\"known_lines\":500,\"kernel_messages\":400,\"events\":8,"
                + "\"warning\":\"700 of 1200 lines have no known form and were not evaluated\","
                + "\"health\":{\"verdict\":\"failing\"")
        .endsWith("}}");
  }

  private String json(KernelFact fact) {
    new ReplayJson(JsonWriter.lines(stream)).event(event(fact, RESET));
    return written();
  }

  @Test
  void containmentHasTheFlagsOfTheDriver() {
    assertThat(
            json(
                xid(
                    95,
                    "Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No",
                    new XidDetail.Containment(
                        false, "LTC TAG", Optional.of(true), Optional.empty()))))
        .contains(
            "\"xid\":95,\"pid\":null,\"process\":null,",
            "\"unit\":\"LTC TAG\",\"flags\":{\"contained\":false,\"reset\":true,\"drain_and_reset\":null}");
  }

  @Test
  void aLinkOfTheFifthGenerationHasItsSubcode() {
    assertThat(
            json(
                xid(
                    149,
                    "NETIR_LINK_EVT Fatal XC0 i0 Link 09",
                    new XidDetail.Nvlink5(
                        "NETIR_LINK_EVT",
                        true,
                        OptionalInt.of(9),
                        0x025525c6L,
                        0xffffffffL,
                        OptionalInt.of(70),
                        37,
                        XidDetail.Nvlink5Resolution.RESET_GPU,
                        Optional.of(XidDetail.Nvlink5Resolution.IGNORE)))))
        .contains(
            "\"unit\":\"NETIR_LINK_EVT\",\"fatal\":true,\"link\":9,\"subcode\":70,\"state_reason\":37,"
                + "\"intr_info\":\"0x025525c6\",\"error_status\":\"0xffffffff\",\"resolution\":\"reset_gpu\","
                + "\"otherwise\":\"ignore\"");
  }

  @Test
  void otherDetailsAreShownToo() {
    assertThat(json(xid(154, "", new XidDetail.RecoveryChange(0, 1, "GPU Reset Required"))))
        .contains("\"recovery\":{\"from\":0,\"to\":1,\"text\":\"GPU Reset Required\"}");
    assertThat(json(xid(13, "", new XidDetail.SmPlace(1, 3, 0))))
        .contains("\"place\":{\"gpc\":1,\"tpc\":3,\"sm\":0}");
    assertThat(
            json(
                xid(
                    74,
                    "",
                    new XidDetail.NvlinkRegisters(
                        4,
                        List.of(0L, 0x10000L),
                        XidDetail.RegisterJudgement.HARDWARE_IF_REPEATED))))
        .contains(
            "\"link\":4,\"registers\":[\"0x00000000\",\"0x00010000\"],\"judgement\":\"hardware_if_repeated\"");
  }
}
