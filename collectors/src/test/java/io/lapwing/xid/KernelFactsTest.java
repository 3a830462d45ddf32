package io.lapwing.xid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lapwing.xid.KernelFact.BoardSerial;
import io.lapwing.xid.KernelFact.DriverLoaded;
import io.lapwing.xid.KernelFact.GpuAt;
import io.lapwing.xid.KernelFact.OffBus;
import io.lapwing.xid.KernelFact.SXid;
import io.lapwing.xid.KernelFact.Xid;
import io.lapwing.xid.XidDetail.Containment;
import io.lapwing.xid.XidDetail.Nvlink5;
import io.lapwing.xid.XidDetail.Nvlink5Resolution;
import io.lapwing.xid.XidDetail.NvlinkRegisters;
import io.lapwing.xid.XidDetail.RecoveryChange;
import io.lapwing.xid.XidDetail.RegisterJudgement;
import io.lapwing.xid.XidDetail.SmPlace;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelFactsTest {

  private static final String OFF = "GPU has fallen off the bus.";

  private final KernelFacts facts = new KernelFacts(Optional::empty);

  private static PciAddress pci(String text) {
    return PciAddress.parse(text).orElseThrow();
  }

  /** An XID without anything but its address, number and message. */
  private static Xid xid(String pci, int number, String message, XidDetail detail) {
    return of(pci, number, OptionalLong.empty(), Optional.empty(), message, detail);
  }

  private static Xid of(
      String pci,
      int number,
      OptionalLong pid,
      Optional<String> process,
      String message,
      XidDetail detail) {
    return new Xid(
        pci(pci),
        OptionalInt.empty(),
        OptionalInt.empty(),
        number,
        pid,
        process,
        message,
        OptionalInt.empty(),
        detail);
  }

  private static Xid of(String pci, int number, long pid, String process, String message) {
    return of(pci, number, OptionalLong.of(pid), Optional.of(process), message, XidDetail.NONE);
  }

  private static List<KernelFact> corpus(String driver) {
    KernelFacts facts = new KernelFacts(() -> Optional.of(driver));
    return CorpusLines.XIDS.stream().map(line -> facts.read(line).orElseThrow()).toList();
  }

  @Test
  void everyFormOfAnXidIsReadInAllItsParts() {
    List<KernelFact> xids = corpus("570.133.20");
    String netir =
        "NETIR_LINK_EVT  Fatal   XC0 i0 Link 09 (0x025525c6 0x00000000 0x00000000 0x00000000"
            + " 0x00000000 0x00000000)";
    String timeout =
        "Timeout after 6s of waiting for RPC response from GPU4 GSP! Expected function 76"
            + " (GSP_RM_CONTROL) (0x20801813 0x4c).";
    String recovery = "GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)";
    String drained =
        "GPU recovery action changed from 0x4 (Drain and Reset) to 0x1 (GPU Reset Required)";
    String rxpipe =
        "RLW_RXPIPE Nonfatal XC0 i0 Link 13 (0x0409a0c2 0x00000008 0x00000001 0x00000000"
            + " 0x00100000 0x00000004)";
    assertThat(xids)
        .containsExactly(
            of("0000:53:00", 79, 1234, "python3", OFF),
            xid("0000:05:00", 79, OFF, XidDetail.NONE),
            xid("0000:01:00", 79, OFF, XidDetail.NONE),
            xid("0000:03:00", 14, "Channel 00000001", XidDetail.NONE),
            xid(
                "0000:b3:00",
                79,
                "GPU has fallen off the bus and is not responding to commands.",
                XidDetail.NONE),
            xid("0000:9b:00", 46, "", XidDetail.NONE),
            new Xid(
                pci("0000:01:00"),
                OptionalInt.of(5),
                OptionalInt.empty(),
                94,
                OptionalLong.of(7194),
                Optional.empty(),
                "Contained: CE User Channel (0x9). RST: No, D-RST: No",
                OptionalInt.empty(),
                new Containment(true, "CE User Channel", Optional.of(false), Optional.of(false))),
            new Xid(
                pci("0000:01:00"),
                OptionalInt.of(5),
                OptionalInt.of(0),
                43,
                OptionalLong.of(7194),
                Optional.of("python3"),
                "Ch 00000008",
                OptionalInt.empty(),
                XidDetail.NONE),
            of(
                "0000:01:00",
                95,
                OptionalLong.of(7062),
                Optional.empty(),
                "Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No",
                new Containment(false, "LTC TAG", Optional.of(true), Optional.of(false))),
            of(
                "0000:10:1c",
                63,
                OptionalLong.of(1896),
                Optional.empty(),
                "Row Remapper: New row marked for remapping, reset gpu to activate.",
                XidDetail.NONE),
            xid(
                "0000:b5:00",
                13,
                "Graphics SM Warp Exception on (GPC 1, TPC 3, SM 0): Out Of Range Address",
                new SmPlace(1, 3, 0)),
            of(
                "0000:b5:00",
                31,
                2079991,
                "pt_main_thread",
                "Ch 00000007, intr 00000000. MMU Fault: ENGINE ..."),
            of("0000:9b:00", 119, 2024380, "nvidia-smi", timeout),
            of("0000:17:00", 119, 1582259, "nvc:[driver]", "Timeout after 6s ..."),
            xid(
                "0003:00:00",
                74,
                "NVLink: fatal error detected on link 14(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)",
                new NvlinkRegisters(
                    14,
                    List.of(0L, 0L, 0x10000L, 0L, 0L, 0L, 0L),
                    RegisterJudgement.HARDWARE_IF_REPEATED)),
            new Xid(
                pci("0000:66:00"),
                OptionalInt.empty(),
                OptionalInt.empty(),
                45,
                OptionalLong.of(991),
                Optional.of("train.3"),
                "Ch 00000008",
                OptionalInt.of(31),
                XidDetail.NONE),
            xid(
                "0018:01:00",
                149,
                netir,
                new Nvlink5(
                    "NETIR_LINK_EVT",
                    true,
                    OptionalInt.of(9),
                    0x025525c6L,
                    0,
                    OptionalInt.of(14),
                    37,
                    Nvlink5Resolution.RESET_GPU,
                    Optional.empty())),
            xid(
                "0008:01:00",
                149,
                "NETIR Fatal XC0 i0 Link -1 (0x000fe406 0x00000000 ...)",
                new Nvlink5(
                    "NETIR",
                    true,
                    OptionalInt.empty(),
                    0x000fe406L,
                    0,
                    OptionalInt.of(0),
                    0,
                    Nvlink5Resolution.RESET_GPU,
                    Optional.empty())),
            of(
                "0018:01:00",
                145,
                OptionalLong.of(876767),
                Optional.of("ray::WorkerDict"),
                rxpipe,
                new Nvlink5(
                    "RLW_RXPIPE",
                    false,
                    OptionalInt.of(13),
                    0x0409a0c2L,
                    8,
                    OptionalInt.of(6),
                    0,
                    Nvlink5Resolution.IGNORE,
                    Optional.empty())),
            xid(
                "0000:04:00",
                146,
                "TLW_RX/TLW_RX_PIPE0 Fatal XC0 i0 Link 00 (0x0000000a 0x00000004 0x0 0x0)",
                new Nvlink5(
                    "TLW_RX/TLW_RX_PIPE0",
                    true,
                    OptionalInt.of(0),
                    0xaL,
                    4,
                    OptionalInt.of(0),
                    0,
                    Nvlink5Resolution.UNKNOWN,
                    Optional.empty())),
            xid("0008:01:00", 154, recovery, new RecoveryChange(0, 1, "GPU Reset Required")),
            xid("0018:01:00", 154, drained, new RecoveryChange(4, 1, "GPU Reset Required")));
  }

  @Test
  void aSwitchsErrorIsAFactAndItsFollowUpRecordsAreNot() {
    assertThat(CorpusLines.SXIDS.stream().map(facts::read).flatMap(Optional::stream))
        .containsExactly(
            sxid(0, "0000:c3:00", 20009, Optional.of(false), 28, "RX Short Error Rate"),
            sxid(
                3,
                "0000:05:00",
                12028,
                Optional.of(false),
                32,
                "egress non-posted PRIV error (First)"),
            sxid(3, "0000:05:00", 20034, Optional.of(true), 30, "LTSSM Fault Up"),
            sxid(
                0, "0000:c3:00", 24007, Optional.of(true), 28, "sourcetrack timeout error (First)"),
            sxid(0, "0004:00:00", 26006, Optional.empty(), -1, "SOE HALTED"));
  }

  private static SXid sxid(
      int device, String pci, int number, Optional<Boolean> fatal, int link, String message) {
    return new SXid(
        "nvidia-nvswitch" + device,
        pci(pci),
        number,
        fatal,
        link < 0 ? OptionalInt.empty() : OptionalInt.of(link),
        message);
  }

  @Test
  void aSwitchsErrorMayNameAUnitInsteadOfALink() {
    assertThat(
            facts.read(
                "nvidia-nvswitch1: SXid (PCI:0000:07:00.0): 10003, Fatal, HOST_PTIMER, instance=2,"
                    + " chiplet=1"))
        .contains(
            sxid(
                1,
                "0000:07:00",
                10003,
                Optional.of(true),
                -1,
                "HOST_PTIMER, instance=2, chiplet=1"));
    assertThat(
            facts.read("nvidia-nvswitch1: SXid (PCI:0000:07:00.0): 00042, Correctable, Link 3 x"))
        .contains(sxid(1, "0000:07:00", 42, Optional.of(false), 3, "x"));
  }

  @Test
  void aGpuOffTheBusIsReportedOnOneLine() {
    assertThat(facts.read("NVRM: GPU 0000:29:00.0: GPU has fallen off the bus."))
        .contains(new OffBus(pci("0000:29:00"), OFF));
    assertThat(facts.read("NVRM: GPU 0000:29:00.0: GPU serial number is 1653723052734.")).isEmpty();
  }

  private static final List<String> SENTENCE =
      List.of(
          "NVRM: The NVIDIA GPU 0000:18:00.0",
          "NVRM: (PCI ID: 10de:2901) installed in this system has",
          "NVRM: fallen off the bus and is not responding to commands.");

  @Test
  void anAddressWithoutADomainAndTheSentenceOfOldDriversAreReadToo() {
    assertThat(facts.read("NVRM: GPU 18:00.0: GPU has fallen off the bus."))
        .contains(new OffBus(pci("0000:18:00"), OFF));
    assertThat(facts.read("NVRM: GPU at 0000:02:00.0 has fallen off the bus."))
        .contains(new OffBus(pci("0000:02:00"), OFF));
    assertThat(facts.read("NVRM: GPU at invalid-bdf.0 has fallen off the bus.")).isEmpty();
    assertThat(facts.read("NVRM: GPU 18:00: GPU has fallen off the bus.")).isEmpty();
  }

  /** Lines of public bug reports; 0x62:0x40:2477 is a GPU whose firmware does not start. */
  @Test
  void aGpuThatDoesNotComeUpIsAFact() {
    assertThat(facts.read("NVRM: GPU 0000:53:00.0: RmInitAdapter failed! (0x62:0x40:2477)"))
        .contains(
            new KernelFact.InitFailed(
                pci("0000:53:00"), "RmInitAdapter failed! (0x62:0x40:2477)", false));
    assertThat(facts.read("NVRM: GPU 0000:53:00.0: rm_init_adapter failed, device minor number 4"))
        .contains(
            new KernelFact.InitFailed(
                pci("0000:53:00"), "rm_init_adapter failed, device minor number 4", true));
    assertThat(facts.read("NVRM: GPU nowhere: RmInitAdapter failed! (0x62:0x40:2477)")).isEmpty();
  }

  /** From the log of an XID 119 that gpud publishes as dmesg-with-xid-119.log. */
  @Test
  void aDriverThatSuppressesGspErrorsIsAFact() {
    String said =
        "Rate limiting GSP RPC error prints for GPU at PCI:0000:9b:00 (printing 1 of every 30).  The GPU likely needs to be reset.";
    assertThat(facts.read("NVRM: " + said))
        .contains(
            new KernelFact.GspErrorsSuppressed(pci("0000:9b:00"), said.replace(".  T", ". T")));
    assertThat(facts.read("NVRM: Rate limiting GSP RPC error prints for GPU at x")).isEmpty();
  }

  /** Lines of gpud's tests for its component nvlink. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "knvlinkUpdatePostRxDetectLinkMask_IMPL: Failed to update Rx Detect Link mask!",
        "knvlinkDiscoverPostRxDetLinks_GH100: Getting peer0's postRxDetLinkMask failed!",
        "knvlinkDiscoverPostRxDetLinks_GB100_REV2: Getting peer17 postRxDetLinkMask failed!"
      })
  void linksThatWereNotTrainedAreAFact(String said) {
    assertThat(facts.read("NVRM: " + said)).contains(new KernelFact.NvlinkTrainingFailed(said));
    assertThat(facts.read("NVRM: GPU0 " + said))
        .contains(new KernelFact.NvlinkTrainingFailed(said));
    assertThat(facts.read("NVRM: " + said + " x")).isEmpty();
    assertThat(facts.read("kernel: NVRM: " + said)).isEmpty();
  }

  private static final OffBus SAID =
      new OffBus(
          pci("0000:18:00"),
          "The NVIDIA GPU 0000:18:00.0 (PCI ID: 10de:2901) installed in this system has fallen off"
              + " the bus and is not responding to commands.");

  @Test
  void aGpuOffTheBusIsReportedInThreeMessages() {
    assertThat(SENTENCE.stream().map(facts::read).flatMap(Optional::stream)).containsExactly(SAID);
    assertThat(facts.read(SENTENCE.get(2))).as("a second end").isEmpty();
  }

  @Test
  void aGpuOffTheBusIsReportedInOneMessageOfThreeLines() {
    assertThat(facts.read(String.join("\n", SENTENCE))).contains(SAID);
    assertThat(
            facts.read(
                "NVRM: The NVIDIA GPU 0000:b3:00.0 fallen off the bus and is not responding."))
        .contains(
            new OffBus(
                pci("0000:b3:00"),
                "The NVIDIA GPU 0000:b3:00.0 fallen off the bus and is not responding."));
  }

  @Test
  void otherMessagesMayComeBetween() {
    assertThat(facts.read(SENTENCE.get(0))).isEmpty();
    assertThat(facts.read("usb 1-1: new high-speed USB device")).isEmpty();
    assertThat(facts.read(CorpusLines.XIDS.get(0))).isPresent();
    assertThat(facts.read(SENTENCE.get(1))).isEmpty();
    assertThat(facts.read("NVRM: nvAssertFailed")).isEmpty();
    assertThat(facts.read(SENTENCE.get(2))).contains(SAID);
  }

  @Test
  void theRestOfAMessageIsAwaitedOnlyBriefly() {
    facts.read(SENTENCE.get(0));
    for (int i = 0; i < 8; i++) {
      assertThat(facts.read("eth0: link up")).isEmpty();
    }
    assertThat(facts.read(SENTENCE.get(2))).isEmpty();
  }

  @Test
  void anEndWithoutABeginningNamesNoGpu() {
    assertThat(facts.read(SENTENCE.get(2))).isEmpty();
    assertThat(facts.read("NVRM: The NVIDIA GPU elsewhere\nNVRM: fallen off the bus")).isEmpty();
    assertThat(facts.read(SENTENCE.get(2))).isEmpty();
  }

  @Test
  void aGpuThatIsNotSupportedIsNotOffTheBus() {
    assertThat(
            facts.read(
                """
                NVRM: The NVIDIA GPU 0000:18:00.0 (PCI ID: 10de:1234)
                NVRM: installed in this system is not supported by the
                NVRM: NVIDIA 580.95.05 driver release.\
                """))
        .isEmpty();
  }

  @Test
  void theLogMapsAddressesToGpus() {
    assertThat(facts.read("NVRM: GPU at PCI:0000:9b:00: GPU-509665ad-b600-ac93-3616-d754b23d636d"))
        .contains(new GpuAt(pci("0000:9b:00"), "GPU-509665ad-b600-ac93-3616-d754b23d636d"));
    assertThat(facts.read("NVRM: GPU Board Serial Number: 1650124014249"))
        .contains(new BoardSerial("1650124014249"));
    assertThat(facts.read("NVRM: GPU at PCI:0000:9b:00: nothing")).isEmpty();
    assertThat(
            facts.read("NVRM: GPU at 0000:9b:00.0 has software scheduler DISABLED with policy x"))
        .isEmpty();
    assertThat(facts.read("NVRM: GPU Board Serial Number: ")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23 10:11:16 UTC 2025",
        "NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build  (x@y)"
      })
  void theLogHasTheLoadedDriver(String line) {
    assertThat(facts.read(line)).contains(new DriverLoaded("580.95.05"));
  }

  @Test
  void aFirewallsPrefixIsNoLoadOfTheDriver() {
    String line = "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.95.05  ";
    assertThat(facts.read(line + "IN= OUT=lo SRC=127.0.0.1 DST=127.0.0.1 LEN=84")).isEmpty();
    assertThat(facts.read(line + "Tue Sep 23 10:11:16 UTC 2025IN=eth0 OUT= MAC=")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NVRM: Xid : 79, GPU has fallen off the bus.",
        "NVRM: Xid (PCI:0000:53:00): seventy, GPU has fallen off the bus.",
        "NVRM: Xid (PCI:0000:53:00): , GPU has fallen off the bus.",
        "NVRM: Xid (PCI:0000:53:00): -1, GPU has fallen off the bus.",
        "NVRM: Xid (PCI:0000:53:00): 0, GPU has fallen off the bus.",
        "NVRM: Xid (PCI:0000:53:00): 100000, x",
        "NVRM: Xid (PCI:0000:53:00): 4294967375, x",
        "NVRM: Xid (PCI:0000:53:00): 99999999999999999999, x",
        "NVRM: Xid (PCI:0000:53:00): 79x, GPU has fallen off the bus.",
        "NVRM: Xid (PCI:0000:53:00): 79. GPU has fallen off the bus.",
        "NVRM: Xid (PCI:0000:53): 79, x",
        "NVRM: Xid (invalid): 79, x",
        "NVRM: Xid (): 79, x",
        "NVRM: Xid (PCI:0000:53:00 GPU-CI:00): 79, x",
        "NVRM: Xid (PCI:0000:53:00 GPU-I:x): 79, x",
        "NVRM: Xid (PCI:0000:53:00 GPU-I:00 GPU-CI:): 79, x",
        "NVRM: Xid (PCI:0000:53:00 GPU-I:): 79, x",
        "NVRM: Xid (PCI:0000:53:00  GPU-I:00): 79, x",
        "NVRM: Xid (PCI:0000:53:00)",
        "NVRM: Xid (PCI:0000:53:00): ",
        "NVRM: Xid",
        "NVRM: ",
        "NVRM:",
        "",
        "NVRM:  Xid (PCI:0000:53:00): 79, x",
        " NVRM: Xid (PCI:0000:53:00): 79, x",
        "nvrm: Xid (PCI:0000:53:00): 79, x",
        "Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "python3[12]: NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "watcher: the log says NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "NVRM: nvAssert: NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "NVRM: krcWatchdog: Xid 79",
        "nvidia-nvswitch0: SXid : 20034, Fatal, Link 30 LTSSM Fault Up",
        "nvidia-nvswitch0: SXid (PCI:0000:05:00.0): many, Fatal, Link 30 LTSSM Fault Up",
        "nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 00000, Fatal, Link 30 LTSSM Fault Up",
        "nvidia-nvswitch0: SXid (PCI:nowhere): 20034, Fatal, Link 30 LTSSM Fault Up",
        "nvidia-uvm: somebody said: SXid (PCI:0000:05:00.0): 20034, Fatal, Link 30 LTSSM Fault Up",
        "x nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, Fatal, Link 30 LTSSM Fault Up",
        "nvidia-: SXid (PCI:0000:05:00.0): 20034, Fatal, Link 30 LTSSM Fault Up"
      })
  void otherTextIsNotAFact(String line) {
    assertThat(facts.read(line)).isEmpty();
  }

  @Test
  void anUnknownNumberIsAFact() {
    assertThat(facts.read("NVRM: Xid (PCI:0000:53:00): 999, something new"))
        .contains(xid("0000:53:00", 999, "something new", XidDetail.NONE));
  }

  @Test
  void aMessageKeepsItsContinuationLines() {
    assertThat(facts.read("NVRM: Xid (PCI:0000:53:00): 62, 0123 4567\n89ab cdef\n"))
        .contains(xid("0000:53:00", 62, "0123 4567\n89ab cdef", XidDetail.NONE));
    assertThat(facts.read("NVRM: Xid (PCI:0000:53:00): 62\nmore"))
        .contains(xid("0000:53:00", 62, "more", XidDetail.NONE));
  }

  @Test
  void theCauseFollowsTheLastLine() {
    Xid xid =
        (Xid)
            facts
                .read(
                    "NVRM: Xid (PCI:0000:53:00): 45, pid=5, name=a, Ch 1\nCh 2 caused by previous"
                        + " Xid 109")
                .orElseThrow();
    assertThat(xid.cause()).hasValue(109);
    assertThat(xid.message()).isEqualTo("Ch 1\nCh 2");
    Xid bare =
        (Xid)
            facts
                .read("NVRM: Xid (PCI:0000:53:00): 45, pid=5, name=a,  caused by previous Xid 31")
                .orElseThrow();
    assertThat(bare.cause()).hasValue(31);
    assertThat(bare.process()).contains("a");
    assertThat(bare.message()).isEmpty();
  }

  @Test
  void anInvalidPidStaysInTheMessage() {
    assertThat(facts.read("NVRM: Xid (PCI:0000:53:00): 43, pid=abc, Ch 00000008"))
        .contains(xid("0000:53:00", 43, "pid=abc, Ch 00000008", XidDetail.NONE));
    assertThat(facts.read("NVRM: Xid (PCI:0000:53:00): 43, pid=4294967295"))
        .map(fact -> ((Xid) fact).pid())
        .contains(OptionalLong.of(4294967295L));
  }

  @Test
  void theRecordedBurstIsReadToTheLastLine() throws IOException {
    List<Path> recorded = recorded();
    assumeThat(recorded).as("recorded/kernel-log beside the repository").isNotEmpty();
    List<String> lines =
        Files.readAllLines(recorded.get(0)).stream()
            .map(line -> line.replaceFirst("^\\[[^]]*] ", ""))
            .toList();
    List<KernelFact> read = lines.stream().map(facts::read).flatMap(Optional::stream).toList();
    assertThat(read)
        .filteredOn(Xid.class::isInstance)
        .hasSize(5)
        .allMatch(fact -> ((Xid) fact).number() == 119)
        .allMatch(fact -> ((Xid) fact).pid().isPresent() && ((Xid) fact).process().isPresent())
        .allMatch(fact -> ((Xid) fact).message().startsWith("Timeout after 6s of waiting"));
    assertThat(read)
        .filteredOn(fact -> !(fact instanceof Xid))
        .containsExactly(
            new GpuAt(pci("0000:9b:00"), "GPU-509665ad-b600-ac93-3616-d754b23d636d"),
            new BoardSerial("1650124014249"),
            new KernelFact.GspErrorsSuppressed(
                pci("0000:9b:00"),
                "Rate limiting GSP RPC error prints for GPU at PCI:0000:9b:00 (printing 1 of every 30). The GPU likely needs to be reset."));
  }

  private static List<Path> recorded() throws IOException {
    List<Path> files = new ArrayList<>();
    Path besides = Path.of("").toAbsolutePath().resolve("../..").normalize();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(besides, Files::isDirectory)) {
      for (Path folder : folders) {
        Path file = folder.resolve("recorded/kernel-log/xid-119-burst.dmesg");
        if (Files.exists(file)) {
          files.add(file);
        }
      }
    }
    return files;
  }
}
