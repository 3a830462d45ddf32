package io.lapwing.xid;

import java.util.List;

/** Lines as drivers of several generations write them. */
final class CorpusLines {

  static final List<String> XIDS =
      List.of(
          "NVRM: Xid (PCI:0000:53:00): 79, pid=1234, name=python3, GPU has fallen off the bus.",
          "NVRM: Xid (PCI:0000:05:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
          "NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.",
          "NVRM: Xid (0000:03:00): 14, Channel 00000001",
          "NVRM: Xid (PCI:0000:b3:00.0): 79, GPU has fallen off the bus and is not responding to commands.",
          "NVRM: Xid (PCI:0000:9b:00): 46",
          "NVRM: Xid (PCI:0000:01:00 GPU-I:05): 94, pid=7194, Contained: CE User Channel (0x9). RST: No, D-RST: No",
          "NVRM: Xid (PCI:0000:01:00 GPU-I:05 GPU-CI:00): 43, pid=7194, name=python3, Ch 00000008",
          "NVRM: Xid (PCI:0000:01:00): 95, pid=7062, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No",
          "NVRM: Xid (PCI:0000:10:1c): 63, pid=1896, Row Remapper: New row marked for remapping, reset gpu to activate.",
          "NVRM: Xid (PCI:0000:b5:00): 13, pid='<unknown>', name=<unknown>, Graphics SM Warp Exception on (GPC 1, TPC 3, SM 0): Out Of Range Address",
          "NVRM: Xid (PCI:0000:b5:00): 31, pid=2079991, name=pt_main_thread, Ch 00000007, intr 00000000. MMU Fault: ENGINE ...",
          "NVRM: Xid (PCI:0000:9b:00): 119, pid=2024380, name=nvidia-smi, Timeout after 6s of waiting for RPC response from GPU4 GSP! Expected function 76 (GSP_RM_CONTROL) (0x20801813 0x4c).",
          "NVRM: Xid (PCI:0000:17:00): 119, pid=1582259, name=nvc:[driver], Timeout after 6s ...",
          "NVRM: Xid (PCI:0003:00:00): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 14(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)",
          "NVRM: Xid (PCI:0000:66:00): 45, pid=991, name=train.3, Ch 00000008 caused by previous Xid 31",
          "NVRM: Xid (PCI:0018:01:00): 149, NETIR_LINK_EVT  Fatal   XC0 i0 Link 09 (0x025525c6 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000)",
          "NVRM: Xid (PCI:0008:01:00): 149, NETIR Fatal XC0 i0 Link -1 (0x000fe406 0x00000000 ...)",
          "NVRM: Xid (PCI:0018:01:00): 145, pid=876767, name=ray::WorkerDict, RLW_RXPIPE Nonfatal XC0 i0 Link 13 (0x0409a0c2 0x00000008 0x00000001 0x00000000 0x00100000 0x00000004)",
          "NVRM: Xid (PCI:0000:04:00): 146, TLW_RX/TLW_RX_PIPE0 Fatal XC0 i0 Link 00 (0x0000000a 0x00000004 0x0 0x0)",
          "NVRM: Xid (PCI:0008:01:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)",
          "NVRM: Xid (PCI:0018:01:00): 154, GPU recovery action changed from 0x4 (Drain and Reset) to 0x1 (GPU Reset Required)");

  static final List<String> SXIDS =
      List.of(
          "nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20009, Non-fatal, Link 28 RX Short Error Rate",
          "nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error (First)",
          "nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 20034, Fatal, Link 30 LTSSM Fault Up",
          "nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 24007, Fatal, Link 28 sourcetrack timeout error (First)",
          "nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 12033, Severity 1 Engine instance 00 Sub-engine instance 00",
          "nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20034, Data {0x50610002, 0x10100030}",
          "nvidia-nvswitch0: SXid (PCI:0004:00:00.0): 26006, SOE HALTED");

  static final List<String> OTHERS =
      List.of(
          "NVRM: GPU 0000:29:00.0: GPU has fallen off the bus.",
          "NVRM: GPU 0000:29:00.0: GPU serial number is 1653723052734.",
          "NVRM: The NVIDIA GPU 0000:18:00.0",
          "NVRM: (PCI ID: 10de:2901) installed in this system has",
          "NVRM: fallen off the bus and is not responding to commands.",
          "NVRM: GPU at PCI:0000:9b:00: GPU-509665ad-b600-ac93-3616-d754b23d636d",
          "NVRM: GPU Board Serial Number: 1650124014249",
          "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23 10:11:16 UTC 2025");

  private CorpusLines() {}
}
