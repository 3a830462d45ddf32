package io.lapwing.simulator;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;

/** The folders of /proc that belong to processes on GPUs. */
final class ProcessTree {
  private final KernelTree proc;
  private final Set<Long> written = new TreeSet<>();

  ProcessTree(KernelTree proc) {
    this.proc = proc;
  }

  /** Writes the folders of those that came, and takes away those of the ones that are gone. */
  void show(Set<Long> alive) throws IOException {
    for (long pid : alive) {
      if (written.add(pid)) {
        proc.write(pid + "/comm", GpuProcess.NAME);
        proc.write(pid + "/stat", stat(pid));
      }
    }
    for (long pid : Set.copyOf(written)) {
      if (!alive.contains(pid)) {
        proc.remove(pid + "/comm");
        proc.remove(pid + "/stat");
        proc.remove(Long.toString(pid));
        written.remove(pid);
      }
    }
  }

  /** 52 fields, as the kernel has them; the 22nd is the start in ticks since boot. */
  private static String stat(long pid) {
    return pid + " (" + GpuProcess.NAME + ") S 1" + " 0".repeat(17) + " 12000" + " 0".repeat(30);
  }
}
