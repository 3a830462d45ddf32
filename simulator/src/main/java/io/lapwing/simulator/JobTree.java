package io.lapwing.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a job leaves outside /proc: its cgroups, and the file of each GPU that names it. */
final class JobTree {
  /** Below the node's root; where the prolog of a Slurm cluster writes for dcgm-exporter. */
  static final String MAPPING = "run/slurm/dcgm-job-mapping";

  private static final String CGROUPS = "fs/cgroup/";

  private final KernelTree sys;
  private final Path mapping;

  JobTree(KernelTree sys, Path root) {
    this.sys = sys;
    this.mapping = root.resolve(MAPPING);
  }

  void show(SlurmJob job) throws IOException {
    Files.createDirectories(mapping);
    for (JobRank rank : job.ranks()) {
      sys.write(CGROUPS + job.cgroup(rank) + "/cgroup.procs", Long.toString(rank.pid()));
      Files.writeString(
          mapping.resolve(Integer.toString(rank.rank())), job.id() + "\n", StandardCharsets.UTF_8);
    }
  }

  void hide(SlurmJob job) throws IOException {
    for (JobRank rank : job.ranks()) {
      String task = CGROUPS + job.cgroup(rank);
      sys.remove(task + "/cgroup.procs");
      removeUpwards(sys.root().resolve(task), sys.root().resolve(CGROUPS));
      Files.deleteIfExists(mapping.resolve(Integer.toString(rank.rank())));
    }
  }

  /** As far as nothing else is in the folders. */
  private static void removeUpwards(Path from, Path until) throws IOException {
    Path folder = from;
    while (folder != null && folder.startsWith(until) && isEmpty(folder)) {
      Files.delete(folder);
      folder = folder.getParent();
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      return !files.iterator().hasNext();
    }
  }
}
