package io.lapwing.xid;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.fuzz.Target;
import java.util.List;
import java.util.Optional;

/** Messages of NVIDIA's drivers. */
public final class XidTargets {

  private static final KernelFacts FACTS = new KernelFacts(() -> Optional.of("580.95.05"));

  private XidTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofText("xid-line", XidTargets::fact)
            .seeds(
                "NVRM: Xid (PCI:0000:53:00 GPU-I:05 GPU-CI:00): 43, pid=7194, name=python3, Ch"
                    + " 00000008 caused by previous Xid 31",
                "NVRM: Xid (PCI:0000:53:00): 13, Graphics SM Warp Exception on (GPC 1, TPC 2, SM"
                    + " 0): Out Of Range Address",
                "NVRM: Xid (PCI:0000:53:00): 74, pid=1, NVLink: fatal error detected on link"
                    + " 14(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)",
                "NVRM: Xid (PCI:0000:53:00): 94, Contained: SM (0x1). RST: No, D-RST: No",
                "NVRM: Xid (PCI:0000:53:00): 145, RLW_RXPIPE Nonfatal XC0 i0 Link 13 (0x0409a0c2"
                    + " 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000)",
                "NVRM: Xid (PCI:0000:53:00): 154, GPU recovery action changed from 0x0 (None) to"
                    + " 0x2 (Node Reboot Required)",
                "nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20009, Non-fatal, Link 28 RX Short"
                    + " Error Rate",
                "NVRM: GPU at PCI:0000:53:00: GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52",
                "NVRM: GPU 0000:53:00.0: GPU has fallen off the bus.",
                "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.95.05"));
  }

  private static void fact(String text) {
    PciAddress.parse(text);
    Optional<KernelFact> fact = FACTS.read(text);
    demand(
        fact.isEmpty() || text.startsWith("NVRM: ") || text.startsWith("nvidia-"),
        "a line of another origin was accepted as the driver's");
    fact.ifPresent(said -> demand(!said.toString().isEmpty(), "no words"));
  }
}
