package io.lapwing.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Files about a job except those of its processes: cgroups, a mapping file for each GPU, the name
 * of its user, and the first two processes of the machine, which show that this /proc is not that
 * of a container and uses the same process ids.
 */
final class JobTree {
  /** Below the node's root; a Slurm prolog writes here for dcgm-exporter. */
  static final String MAPPING = "run/slurm/dcgm-job-mapping";

  private static final String CGROUPS = "fs/cgroup/";

  private static final List<String> FIRST_PROCESSES =
      List.of("1/ns/pid", "1/ns", "1/comm", "1/stat", "2/comm", "2");

  private final KernelTree sys;
  private final KernelTree proc;
  private final Path mapping;
  private final Path passwd;

  JobTree(KernelTree sys, KernelTree proc, Path root) {
    this.sys = sys;
    this.proc = proc;
    this.mapping = root.resolve(MAPPING);
    this.passwd = root.resolve("etc/passwd");
  }

  void show(SlurmJob job) throws IOException {
    Files.createDirectories(mapping);
    for (JobRank rank : job.ranks()) {
      sys.write(CGROUPS + job.cgroup(rank) + "/cgroup.procs", Long.toString(rank.pid()));
      Files.writeString(
          mapping.resolve(Integer.toString(rank.rank())), job.id() + "\n", StandardCharsets.UTF_8);
    }
    if (!job.ranks().isEmpty()) {
      Files.createDirectories(passwd.getParent());
      Files.writeString(passwd, SlurmJob.USER + ":x:" + job.ranks().get(0).user() + ":100::/:\n");
    }
    showFirstProcesses();
  }

  private void showFirstProcesses() throws IOException {
    proc.write("1/comm", "systemd");
    proc.write("1/stat", "1 (systemd) S 0" + " 0".repeat(17) + " 1" + " 0".repeat(30));
    proc.write("2/comm", "kthreadd");
    Path namespace = proc.root().resolve("1/ns/pid");
    Files.createDirectories(proc.root().resolve("1/ns"));
    Files.deleteIfExists(namespace);
    // The ranks are in the namespace of the reader.
    Files.createSymbolicLink(namespace, Path.of("/proc/self/ns/pid"));
  }

  void hide(SlurmJob job) throws IOException {
    Files.deleteIfExists(passwd);
    for (JobRank rank : job.ranks()) {
      String task = CGROUPS + job.cgroup(rank);
      sys.remove(task + "/cgroup.procs");
      removeUpwards(sys.root().resolve(task), sys.root().resolve(CGROUPS));
      Files.deleteIfExists(mapping.resolve(Integer.toString(rank.rank())));
    }
    for (String file : FIRST_PROCESSES) {
      proc.remove(file);
    }
  }

  /** Keeps folders with other content. */
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
