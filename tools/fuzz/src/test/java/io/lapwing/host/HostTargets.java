package io.lapwing.host;

import io.lapwing.fuzz.Target;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.util.List;

/** /proc/pressure, the mount table, and messages of the kernel. */
public final class HostTargets {

  private HostTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofText("pressure", HostTargets::pressure)
            .seeds(
                """
                some avg10=0.22 avg60=0.17 avg300=1.11 total=58761459
                full avg10=0.22 avg60=0.16 avg300=1.08 total=58464525
                """),
        Target.ofText("mounts", HostTargets::mounts)
            .seeds(
                """
                29 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p1 rw,discard
                64 29 8:17 / /a\\040b rw - xfs /dev/sdb1 ro,errors=remount-ro
                """),
        Target.ofText("host-messages", HostTargets::message)
            .seeds(
                "EDAC MC0: 1 CE memory read error on CPU_SrcID#0_DIMM#0 (channel:2 slot:0 page:0x1)",
                "mce: [Hardware Error]: CPU 2: Machine Check: 0 Bank 6: cc59dec000041152",
                "nvme nvme4: I/O tag 22 (2016) opcode 0x2 (Admin Cmd) QID 0 timeout, reset controller",
                "XFS (nvme1n1): Filesystem has been shut down due to log error (0x2).",
                "INFO: task kworker/u8:3:21879 blocked for more than 966 seconds.",
                "Memory cgroup out of memory: Killed process 13536 (hog) total-vm:33558652kB",
                "pcieport 0000:00:00.0: AER: Uncorrected (Fatal) error received: 0000:01:00.0",
                "NETDEV WATCHDOG: eth0 (ena): transmit queue 3 timed out"));
  }

  private static void pressure(String text) {
    try {
      PressureSource.PressureFile.parse(KernelText.of("pressure", text));
    } catch (ParseFailure declared) {
      Target.demand(declared.line() > 0, "a failure names its line");
    }
  }

  private static void mounts(String text) {
    MountTable table = MountTable.parse(KernelText.of("mounts", text));
    Target.demand(table.mounts().size() <= MountTable.MAX_MOUNTS, "mounts are bounded");
    for (MountTable.Mount mount : table.mounts()) {
      Target.demand(mount.device().startsWith("/dev/"), "only disks are read");
    }
  }

  private static void message(String text) {
    HostMessages.read(text)
        .filter(HostMessage.Fault.class::isInstance)
        .map(HostMessage.Fault.class::cast)
        .ifPresent(
            fault -> {
              Target.demand(fault.times() > 0, "a fault happened");
              Target.demand(fault.text().length() <= HostMessage.MAX_TEXT, "texts are bounded");
              Target.demand(fault.process().length() <= 15, "a process has a short name");
            });
  }
}
