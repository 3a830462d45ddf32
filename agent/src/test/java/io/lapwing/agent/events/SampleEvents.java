package io.lapwing.agent.events;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** One event of each kind with all members, in the order of the types. */
final class SampleEvents {
  private static final Instant AT = Instant.parse("2026-11-20T11:20:00.123456Z");
  private static final String GPU = "GPU-5fd4f087-86f3-7a43-b711-4771313afc50";

  private static final String SUBJECT = "gpu:" + GPU;

  private SampleEvents() {}

  static List<Event> all() {
    return List.of(
        new Event.Started(AT, "0.1.0"),
        new Event.Booted(
            Instant.parse("2026-11-20T11:02:41Z"),
            "9e5dd1c1-3c7a-4b0c-8d9e-6a4c4b1a2f10",
            "i-0123456789abcdef0"),
        new Event.DriverLoaded(AT, "570.133.20"),
        new Event.Xid(
            AT,
            GPU,
            "0000:53:00",
            OptionalInt.of(7),
            OptionalInt.of(0),
            43,
            OptionalLong.of(7194),
            "python3",
            "Ch 00000008",
            OptionalInt.of(94),
            Set.of(Event.Origin.KERNEL, Event.Origin.NVML),
            1,
            OptionalLong.of(4211)),
        new Event.SXid(
            AT,
            "nvidia-nvswitch3",
            "0000:c1:00",
            20034,
            true,
            OptionalInt.of(28),
            "LTSSM Fault Up",
            2,
            OptionalLong.of(4212)),
        new Event.GpuInitFailed(
            AT,
            GPU,
            "0000:53:00",
            "RmInitAdapter failed! (0x62:0x40:2477)",
            1,
            OptionalLong.of(4213)),
        new Event.GspErrorsSuppressed(
            AT,
            GPU,
            "0000:53:00",
            "Rate limiting GSP RPC error prints for GPU at PCI:0000:53:00 (printing 1 of every 30). The GPU likely needs to be reset.",
            2,
            OptionalLong.of(4214)),
        new Event.NvlinkTrainingFailed(
            AT,
            "knvlinkUpdatePostRxDetectLinkMask_IMPL: Failed to update Rx Detect Link mask!",
            1,
            OptionalLong.of(4215)),
        new Event.HostFault(
            AT,
            "hung_task",
            "cpu3",
            OptionalLong.of(7194),
            "python3",
            "nvidia",
            "INFO: task python3:7194 blocked for more than 122 seconds.",
            2,
            OptionalLong.of(4213)),
        new Event.KernelLogRead(AT, 4300, 0),
        new Event.EccGrowth(AT, Instant.parse("2026-11-20T11:19:00Z"), GPU, true, 12, 14, true),
        new Event.RowsRemapped(AT, GPU, 1, 0),
        new Event.GpuLost(AT, GPU, "gpu_is_lost"),
        new Event.GpuReturned(AT, GPU),
        new Event.GpuRemoved(AT, GPU),
        new Event.GpuIdentified(AT, GPU, "1650522032781", "NVIDIA H100 80GB HBM3"),
        new Event.MachineReplaced(AT, 8),
        new Event.EfaDevicesCounted(AT, 32),
        new Event.GpuReset(AT, GPU, "its energy counter restarted"),
        new Event.GpuSeen(AT, GPU, 8_123_456_789L),
        new Event.ApplicationEnded(AT, GPU, OptionalLong.of(7194)),
        new Event.FindingOpened(
            AT,
            AT.minusSeconds(30),
            "row_remap_pending",
            SUBJECT,
            "degraded",
            "reset_gpu",
            "A row waits to be remapped."),
        new Event.FindingEscalated(AT, "row_remap_pending", SUBJECT, "degraded", "replace_node"),
        new Event.FindingConfirmation(AT, "xid_79", SUBJECT, false),
        new Event.FindingClosed(AT, "row_remap_pending", SUBJECT, "reset"),
        new Event.VerdictChanged(AT, "node", "healthy", "degraded", "reset_gpu"),
        new Event.OperatorCleared(AT, "row_remap_pending", SUBJECT, "reset by hand"),
        new Event.MaintenanceStarted(AT, AT.plusSeconds(7_200), "swap PSU"),
        new Event.MaintenanceEnded(AT, "its time is over"),
        new Event.GpusReleased(AT, AT.plusSeconds(600)),
        new Event.GpusReopened(AT, "ended by an operator"),
        new Event.TestFinding(
            AT, AT.plusSeconds(300), "xid_79", SUBJECT, "failing", "replace_node", "now"),
        new Event.TestFindingEnded(AT, "xid_79", SUBJECT, "its time is over"));
  }
}
