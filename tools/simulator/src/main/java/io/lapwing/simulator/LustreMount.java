package io.lapwing.simulator;

import java.time.Instant;

/**
 * A mounted file system.
 *
 * @param digits the address by which the kernel identifies mounts
 * @param at time of the mount
 */
record LustreMount(LustreVersion version, String fileSystem, String digits, Instant at) {

  /** {@code scratch-OST0000-osc-ffff9d0c12345000}. */
  String device(String target, String kind) {
    return fileSystem + "-" + target + "-" + kind + "-" + digits;
  }

  /** {@code scratch-ffff9d0c12345000}. */
  String name() {
    return fileSystem + "-" + digits;
  }
}
