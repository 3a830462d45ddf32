package io.lapwing.simulator;

import java.io.IOException;

/**
 * What /sys and /proc say of the machine: who made it, which instance it is, its processors and its
 * boot.
 */
record MachineTree(InstanceType type) {
  void write(KernelTree sys, KernelTree proc) throws IOException {
    writeDmi(sys);
    proc.write("stat", stat());
    proc.write("sys/kernel/random/boot_id", "5f0c1a52-9a0e-4d6b-8d1c-2f5b7c3e9a11");
    proc.write("sys/kernel/osrelease", "6.8.0-1029-aws");
    proc.write("uptime", "86400.00 16416000.00");
  }

  /** As a Nitro host shows itself; the asset tag is the instance id. */
  private void writeDmi(KernelTree sys) throws IOException {
    String dmi = "class/dmi/id/";
    sys.write(dmi + "sys_vendor", "Amazon EC2");
    sys.write(dmi + "board_vendor", "Amazon EC2");
    sys.write(dmi + "bios_vendor", "Amazon EC2");
    sys.write(dmi + "bios_version", "1.0");
    sys.write(dmi + "chassis_vendor", "Amazon EC2");
    sys.write(dmi + "chassis_asset_tag", "Amazon EC2");
    sys.write(dmi + "product_name", type.name());
    sys.write(dmi + "product_version", "");
    sys.write(dmi + "board_asset_tag", "i-0123456789abcdef0");
  }

  private String stat() {
    StringBuilder stat = new StringBuilder("cpu  1000 0 500 9000 10 0 5 0 0 0\n");
    for (int cpu = 0; cpu < type.cpus(); cpu++) {
      stat.append("cpu").append(cpu).append(" 10 0 5 90 1 0 1 0 0 0\n");
    }
    return stat.append(
            "ctxt 1234567\nbtime 1767225600\nprocesses 4321\nprocs_running 8\nprocs_blocked 0")
        .toString();
  }
}
