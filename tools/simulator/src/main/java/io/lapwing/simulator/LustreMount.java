package io.lapwing.simulator;

import java.time.Instant;

/**
 * A file system that is mounted.
 *
 * @param digits the address that the kernel tells its mounts apart by
 * @param at since when it is
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
