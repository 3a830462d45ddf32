package io.lapwing.simulator;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/**
 * What /sys and /proc say of the machine: who made it, which instance it is, its processors, how
 * short it was of them, and its boot.
 */
record MachineTree(InstanceType type, KernelTree sys, KernelTree proc) {
  static final String KERNEL = "6.8.0-1029-aws";
  private static final String BOOT_ID = "sys/kernel/random/boot_id";

  /** All but the boot's id, by which others see that the machine is up. */
  void write(Boot boot) throws IOException {
    writeDmi();
    proc.write("sys/kernel/osrelease", KERNEL);
    writePressure();
    writeMoment(boot);
  }

  /**
   * Of a machine that is big enough for what it does: a little time was waited, and none is now.
   */
  private void writePressure() throws IOException {
    proc.write("pressure/cpu", pressure(41_250_000, 0));
    proc.write("pressure/memory", pressure(0, 0));
    proc.write("pressure/io", pressure(12_500_000, 9_250_000));
  }

  private static String pressure(long someMicros, long fullMicros) {
    String averages = " avg10=0.00 avg60=0.00 avg300=0.00 total=";
    return "some" + averages + someMicros + "\nfull" + averages + fullMicros;
  }

  /** From now on nobody takes this machine for one that is up. */
  void goDown() throws IOException {
    proc.remove(BOOT_ID);
  }

  void comeUp(Boot boot) throws IOException {
    proc.replace(BOOT_ID, boot.id());
  }

  /** The clock was set: the boot that is known was at another moment. */
  void writeBoot(Boot boot) throws IOException {
    writeMoment(boot);
    comeUp(boot);
  }

  /** What is another one after a boot, and the instance id, which is when the machine is. */
  private void writeMoment(Boot boot) throws IOException {
    sys.replace("class/dmi/id/board_asset_tag", boot.instanceId());
    proc.replace("stat", stat(boot));
  }

  /** Seconds since the boot, and those that all processors together were idle. */
  void writeUptime(Duration uptime) throws IOException {
    double seconds = Math.floor(uptime.toMillis() / 10.0) / 100;
    double idle = seconds * Math.max(1, type.cpus() - 2);
    proc.replace("uptime", String.format(Locale.ROOT, "%.2f %.2f", seconds, idle));
  }

  /** As a Nitro host shows itself; the asset tag is the instance id. */
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
