package io.lapwing.simulator;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/** The machine in /sys and /proc: vendor, instance id, processors and boot. */
record MachineTree(InstanceType type, KernelTree sys, KernelTree proc) {
  static final String KERNEL = "6.8.0-1029-aws";
  private static final String BOOT_ID = "sys/kernel/random/boot_id";

  /** Everything except the boot id, which shows that the machine is up. */
  void write(Boot boot) throws IOException {
    writeDmi();
    proc.write("sys/kernel/osrelease", KERNEL);
    writeMounts("");
    writeMoment(boot);
  }

  /**
   * The file systems on local disks. None of their mount points exists below the node's folder, so
   * that an agent does not show the sizes of the real machine's disks.
   */
  void writeMounts(String readOnly) throws IOException {
    proc.replace(
        "1/mountinfo",
        mount("259:2 / /var/log rw,relatime - ext4 /dev/nvme0n1p2 ", readOnly.equals("/var/log"))
            + "\n"
            + mount(
                "259:5 / /opt/dlami/nvme rw,relatime - xfs /dev/nvme1n1 ",
                readOnly.equals("/opt/dlami/nvme")));
  }

  private static String mount(String what, boolean readOnly) {
    return "41 29 " + what + (readOnly ? "ro" : "rw");
  }

  /** Marks the machine as down. */
  void goDown() throws IOException {
    proc.remove(BOOT_ID);
  }

  void comeUp(Boot boot) throws IOException {
    proc.replace(BOOT_ID, boot.id());
  }

  /** Changes the time of the boot after the clock was set. */
  void writeBoot(Boot boot) throws IOException {
    writeMoment(boot);
    comeUp(boot);
  }

  /** Values that change with a boot, and the instance id, which changes with the machine. */
  private void writeMoment(Boot boot) throws IOException {
    sys.replace("class/dmi/id/board_asset_tag", boot.instanceId());
    proc.replace("stat", stat(boot));
  }

  /** Seconds since the boot, and idle seconds of all processors. */
  void writeUptime(Duration uptime) throws IOException {
    double seconds = Math.floor(uptime.toMillis() / 10.0) / 100;
    double idle = seconds * Math.max(1, type.cpus() - 2);
    proc.replace("uptime", String.format(Locale.ROOT, "%.2f %.2f", seconds, idle));
  }

  /** DMI values of a Nitro host; the asset tag is the instance id. */
  private void writeDmi() throws IOException {
    String dmi = "class/dmi/id/";
    sys.write(dmi + "sys_vendor", "Amazon EC2");
    sys.write(dmi + "board_vendor", "Amazon EC2");
    sys.write(dmi + "bios_vendor", "Amazon EC2");
    sys.write(dmi + "bios_version", "1.0");
    sys.write(dmi + "chassis_vendor", "Amazon EC2");
    sys.write(dmi + "chassis_asset_tag", "Amazon EC2");
    sys.write(dmi + "product_name", type.name());
    sys.write(dmi + "product_version", "");
  }

  private String stat(Boot boot) {
    StringBuilder stat = new StringBuilder("cpu  1000 0 500 9000 10 0 5 0 0 0\n");
    for (int cpu = 0; cpu < type.cpus(); cpu++) {
      stat.append("cpu").append(cpu).append(" 10 0 5 90 1 0 1 0 0 0\n");
    }
    return stat.append("ctxt 1234567\nbtime ")
        .append(boot.at().getEpochSecond())
        .append("\nprocesses 4321\nprocs_running 8\nprocs_blocked 0")
        .toString();
  }
}
