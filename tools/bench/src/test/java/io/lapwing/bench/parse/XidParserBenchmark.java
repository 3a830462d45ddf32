package io.lapwing.bench.parse;

import io.lapwing.xid.KernelFacts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Kernel messages read in a second on one core: half of them the drivers' in all their forms, half
 * of them others'. The budget is 500,000.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class XidParserBenchmark {

  private static final int MESSAGES = 1000;
  private static final long SEED = 74;

  private static final List<String> DRIVERS =
      List.of(
          "NVRM: Xid (PCI:0000:53:00): 79, pid=1234, name=python3, GPU has fallen off the bus.",
          "NVRM: Xid (PCI:0000:05:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
          "NVRM: Xid (0000:03:00): 14, Channel 00000001",
          "NVRM: Xid (PCI:0000:9b:00): 46",
          "NVRM: Xid (PCI:0000:01:00 GPU-I:05): 94, pid=7194, Contained: CE User Channel (0x9). RST: No, D-RST: No",
          "NVRM: Xid (PCI:0000:01:00 GPU-I:05 GPU-CI:00): 43, pid=7194, name=python3, Ch 00000008",
          "NVRM: Xid (PCI:0000:01:00): 95, pid=7062, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No",
          "NVRM: Xid (PCI:0000:10:1c): 63, pid=1896, Row Remapper: New row marked for remapping, reset gpu to activate.",
          "NVRM: Xid (PCI:0000:b5:00): 13, pid='<unknown>', name=<unknown>, Graphics SM Warp Exception on (GPC 1, TPC 3, SM 0): Out Of Range Address",
          "NVRM: Xid (PCI:0000:b5:00): 31, pid=2079991, name=pt_main_thread, Ch 00000007, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted @ 0x7fc1_23456000.",
          "NVRM: Xid (PCI:0000:9b:00): 119, pid=2024380, name=nvidia-smi, Timeout after 6s of waiting for RPC response from GPU4 GSP! Expected function 76 (GSP_RM_CONTROL) (0x20801813 0x4c).",
          "NVRM: Xid (PCI:0003:00:00): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 14(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)",
          "NVRM: Xid (PCI:0000:66:00): 45, pid=991, name=train.3, Ch 00000008 caused by previous Xid 31",
          "NVRM: Xid (PCI:0018:01:00): 149, NETIR_LINK_EVT  Fatal   XC0 i0 Link 09 (0x025525c6 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000)",
          "NVRM: Xid (PCI:0018:01:00): 145, pid=876767, name=ray::WorkerDict, RLW_RXPIPE Nonfatal XC0 i0 Link 13 (0x0409a0c2 0x00000008 0x00000001 0x00000000 0x00100000 0x00000004)",
          "NVRM: Xid (PCI:0018:01:00): 154, GPU recovery action changed from 0x4 (Drain and Reset) to 0x1 (GPU Reset Required)",
          "NVRM: GPU 0000:29:00.0: GPU has fallen off the bus.",
          "NVRM: GPU at PCI:0000:9b:00: GPU-509665ad-b600-ac93-3616-d754b23d636d",
          "NVRM: GPU Board Serial Number: 1650124014249",
          "NVRM:      0    103  GSP_RM_ALLOC          0x0000000000002081 0x0000000000000004 0x00062ed1a6bd61fa",
          "nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error (First)",
          "nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20034, Data {0x50610002, 0x10100030}");

  private static final List<String> OTHERS =
      List.of(
          "eth0: renamed from veth12ab34c",
          "docker0: port 1(veth9f1c2d3) entered forwarding state",
          "EXT4-fs (nvme1n1p1): mounted filesystem with ordered data mode. Opts: (null)",
          "Lustre: 2817:0:(client.c:2289:ptlrpc_expire_one_request()) @@@ Request sent has timed out for slow reply",
          "python3[24411]: segfault at 0 ip 00007f2d3c0a3f10 sp 00007ffd1c0a2f88 error 4 in libc.so.6",
          "perf: interrupt took too long (2503 > 2500), lowering kernel.perf_event_max_sample_rate to 79750",
          "audit: type=1400 audit(1740327858.123:45): apparmor=\"STATUS\" operation=\"profile_load\"",
          "nvidia-uvm: Loaded the UVM driver, major device number 510.");

  private final String[] messages = mixed();
  private final KernelFacts facts = new KernelFacts(() -> Optional.of("570.133.20"));

  private static String[] mixed() {
    List<String> mixed = new ArrayList<>();
    for (int i = 0; i < MESSAGES / 2; i++) {
      mixed.add(DRIVERS.get(i % DRIVERS.size()));
      mixed.add(OTHERS.get(i % OTHERS.size()));
    }
    Collections.shuffle(mixed, new Random(SEED));
    return mixed.toArray(String[]::new);
  }

  /** Messages a second. */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public void messages(Blackhole read) {
    for (String message : messages) {
      read.consume(facts.read(message));
    }
  }

  /** Runs this benchmark in a separate JVM. */
  public static void main(String[] args) throws RunnerException {
    new Runner(new OptionsBuilder().include(XidParserBenchmark.class.getSimpleName()).build())
        .run();
  }
}
