package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.sources.VirtualClock;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.host.HostFaultKind;
import io.lapwing.linux.KernelRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Host faults from the messages of the kernel log to events and counts. */
class HostFaultsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final XidDeduplicator intake =
      new XidDeduplicator(
          text -> Optional.empty(), new PciToUuidMap(new GpuRoster()), new VirtualClock());
  private long sequence;

  private void kernel(String text) {
    intake.kernel(List.of(new KernelRecord(OptionalLong.of(sequence++), Optional.of(NOW), text)));
  }

  private List<Event.HostFault> taken() {
    return intake.take().stream().map(Event.HostFault.class::cast).toList();
  }

  @Test
  void equalFaultsOfAWindowAreOneEventWithACount() {
    String line =
        "EDAC MC0: 3 CE memory read error on CPU_SrcID#0_MC#0_Chan#0_DIMM#0 (channel:0 slot:0)";
    kernel(line);
    kernel(line);
    assertThat(intake.due()).isPresent();
    List<Event.HostFault> events = taken();
    assertThat(events).hasSize(1);
    assertThat(events.get(0).times()).isEqualTo(6);
    assertThat(events.get(0).sequence()).hasValue(1);
    assertThat(events.get(0).device()).isEqualTo("mc0 CPU_SrcID#0_MC#0_Chan#0_DIMM#0");
    assertThat(taken()).isEmpty();
  }

  @Test
  void theCallTraceNamesTheModuleOfAHungTask() {
    kernel("INFO: task python:77 blocked for more than 122 seconds.");
    kernel(" os_acquire_rwlock_read+0x12/0x50 [nvidia]");
    kernel(" ptlrpc_set_wait+0x4d2/0x740 [ptlrpc]");
    kernel("INFO: task ls:78 blocked for more than 122 seconds.");
    kernel(" ptlrpc_set_wait+0x4d2/0x740 [ptlrpc]");
    assertThat(taken())
        .extracting(Event.HostFault::process, Event.HostFault::component)
        .containsExactly(tuple("python", "nvidia"), tuple("ls", "ptlrpc"));
  }

  @Test
  void theNextTraceIsNotOfTheTask() {
    String oops = " os_dump_stack+0xe/0x14 [nvidia]";
    String hung = "INFO: task nfsd:124 blocked for more than 122 seconds.";
    String header = "CPU: 17 PID: 20004 Comm: python3 Tainted: P           OE      6.8.0-1029-aws";
    List<String> trace = List.of("Call Trace:", " <TASK>", " </TASK>");
    List<String> before516 = List.of("Call Trace:");
    String xid = "NVRM: Xid (PCI:0000:53:00): 13, pid=1, name=p";
    assertThat(component(hung, trace, List.of(xid, header, "Call Trace:", oops)))
        .isEqualTo("other");
    assertThat(component(hung, trace, List.of(oops))).isEqualTo("other");
    assertThat(component(hung, before516, List.of(header, oops))).isEqualTo("other");
    assertThat(component(hung, before516, List.of("Hardware name: EC2", oops))).isEqualTo("other");
    assertThat(component(hung, before516, List.of("Call Trace:", oops))).isEqualTo("other");
    assertThat(component(hung, before516, List.of(xid, oops))).as("incomplete").isEmpty();
    assertThat(component(hung, List.of("Call Trace:", " <TASK>"), List.of())).isEmpty();
    assertThat(component(hung, List.of(), List.of(header, "Call Trace:", oops))).isEmpty();
    assertThat(
            component(
                hung,
                before516,
                List.of(
                    "INFO: task nfsd:124 is blocked on a mutex likely owned by task b:2.", oops)))
        .isEmpty();
  }

  @Test
  void theTraceOfASoftLockupFollowsTheHeader() {
    assertThat(
            component(
                "watchdog: BUG: soft lockup - CPU#18 stuck for 27s! [python3:2254956]",
                List.of("CPU: 18 PID: 2254956 Comm: python3 Not tainted", "Hardware name: EC2"),
                List.of("Call Trace:", " <TASK>", " os_acquire_mutex+0x1/0x2 [nvidia]")))
        .isEqualTo("nvidia");
  }

  private String component(String fault, List<String> trace, List<String> more) {
    kernel(fault);
    trace.forEach(this::kernel);
    more.forEach(this::kernel);
    List<Event.HostFault> events = taken();
    assertThat(events).hasSize(1);
    return events.get(0).component();
  }

  @Test
  void aCallTraceWithoutATaskIsIgnored() {
    kernel(" os_acquire_rwlock_read+0x12/0x50 [nvidia]");
    assertThat(taken()).isEmpty();
  }

  @Test
  void theDetailsOfAPcieErrorAreNotASecondError() {
    kernel("pcieport 0000:52:00.0: AER: Uncorrected (Fatal) error received: 0000:53:00.0");
    kernel("nvidia 0000:53:00.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction");
    List<Event.HostFault> events = taken();
    assertThat(events).hasSize(1);
    assertThat(events.get(0).times()).isEqualTo(1);
    assertThat(events.get(0).component()).isEqualTo("nvidia");
  }

  @Test
  void aStormOfDifferentFaultsIsBounded() {
    for (int pid = 1; pid <= 10_000; pid++) {
      kernel("Out of memory: Killed process " + pid + " (p" + pid + ") total-vm:1kB");
    }
    List<Event.HostFault> events = taken();
    assertThat(events).hasSize(HostFaultAggregates.MAX_FAULTS + 1);
    assertThat(events.stream().mapToLong(Event.HostFault::times).sum()).isEqualTo(10_000);
  }

  @Test
  void countsStartAtZeroAndRestartWithTheBoot() {
    HostFaultCounts counts = new HostFaultCounts();
    assertThat(counts.counts()).hasSize(HostFaultKind.values().length).containsValue(0L);
    kernel("Out of memory: Killed process 7 (python) total-vm:1kB");
    taken().forEach(counts::add);
    assertThat(counts.counts()).containsEntry(HostFaultKind.OOM_KILL, 1L);
    counts.add(new Event.Booted(NOW, "boot", ""));
    assertThat(counts.counts()).containsEntry(HostFaultKind.OOM_KILL, 0L);
  }

  @Test
  void theLogIsReadOnAfterTheLastFault() {
    kernel("Out of memory: Killed process 7 (python) total-vm:1kB");
    kernel("Out of memory: Killed process 8 (python) total-vm:1kB");
    assertThat(BootDetector.readBefore(intake.take())).hasValue(1);
  }
}
