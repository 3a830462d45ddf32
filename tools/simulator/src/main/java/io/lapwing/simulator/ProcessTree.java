package io.lapwing.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The folders of /proc that belong to processes on GPUs. */
final class ProcessTree {
  private static final List<String> FILES =
      List.of("comm", "stat", "schedstat", "status", "cgroup", "environ", "maps");

  private final KernelTree proc;
  private final Set<Long> written = new TreeSet<>();
  private Optional<SlurmJob> job = Optional.empty();

  ProcessTree(KernelTree proc) {
    this.proc = proc;
  }

  /** Sets the job of processes that start after this. */
  void belongTo(Optional<SlurmJob> owner) {
    job = owner;
  }

  /** Writes the folders of new processes, with their names, and deletes those of exited ones. */
  void show(Map<Long, String> alive) throws IOException {
    for (Map.Entry<Long, String> process : alive.entrySet()) {
      if (written.add(process.getKey())) {
        write(process.getKey(), process.getValue());
      }
    }
    for (long pid : Set.copyOf(written)) {
      if (!alive.containsKey(pid)) {
        for (String file : FILES) {
          proc.remove(pid + "/" + file);
        }
        proc.remove(Long.toString(pid));
        written.remove(pid);
      }
    }
  }

  /** Nanoseconds by rank in which the process waited for a processor besides. */
  void delay(Map<Integer, Long> nanos) throws IOException {
    for (JobRank rank : job.map(SlurmJob::ranks).orElse(List.of())) {
      if (nanos.containsKey(rank.rank()) && written.contains(rank.pid())) {
        proc.replace(rank.pid() + "/schedstat", rank.schedstat(nanos.get(rank.rank())));
      }
    }
  }

  private void write(long pid, String comm) throws IOException {
    Optional<JobRank> rank = job.flatMap(owner -> owner.rank(pid));
    if (job.isPresent() && rank.isPresent()) {
      write(job.get(), rank.get());
    } else {
      proc.write(pid + "/comm", comm);
      proc.write(pid + "/stat", stat(pid, comm));
    }
  }

  private void write(SlurmJob owner, JobRank rank) throws IOException {
    proc.write(rank.pid() + "/comm", rank.comm());
    proc.write(rank.pid() + "/stat", rank.stat());
    proc.write(rank.pid() + "/schedstat", rank.schedstat());
    proc.write(rank.pid() + "/status", rank.status());
    proc.write(rank.pid() + "/cgroup", "0::/" + owner.cgroup(rank));
    proc.write(rank.pid() + "/maps", owner.maps());
    Path environ = proc.root().resolve(rank.pid() + "/environ");
    Files.writeString(environ, owner.environ(rank), StandardCharsets.UTF_8);
  }

  /** 52 fields, as in the kernel; the 22nd is the start in ticks since boot. */
  private static String stat(long pid, String comm) {
    return pid + " (" + comm + ") S 1" + " 0".repeat(17) + " 12000" + " 0".repeat(30);
  }
}
