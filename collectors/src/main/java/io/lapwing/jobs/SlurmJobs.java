package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.LabelText;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Details of each Slurm job on this node, read once and kept while the job runs. */
final class SlurmJobs {

  private final ProcessFiles procfs;
  private final UserNames users;
  private final Map<String, Known> known = new HashMap<>();
  private final Set<String> used = new HashSet<>();

  /** Retries for a job whose processes lack Slurm's variables. */
  private static final int MAX_ATTEMPTS = 8;

  private record Known(JobDetails details, int attempts) {

    private boolean isDone() {
      return !details.account().isEmpty() || attempts >= MAX_ATTEMPTS;
    }
  }

  SlurmJobs(ProcessFiles procfs, UserNames users) {
    this.procfs = procfs;
    this.users = users;
  }

  /** The details of a job with a known process; the owner is the uid from its cgroup. */
  JobDetails of(String jobId, Optional<String> owner, long pid, SampleSink sink) {
    used.add(jobId);
    Known before = known.getOrDefault(jobId, new Known(JobDetails.NONE, 0));
    if (!before.isDone()) {
      load(jobId, owner, pid, before, sink);
    }
    return known.getOrDefault(jobId, before).details();
  }

  /** The details of a job of which only the cgroup is known. */
  JobDetails of(String jobId, SlurmCgroups.JobFolder folder, SampleSink sink) {
    used.add(jobId);
    Known before = known.getOrDefault(jobId, new Known(JobDetails.NONE, 0));
    OptionalLong pid = before.isDone() ? OptionalLong.empty() : folder.process();
    return pid.isPresent() ? of(jobId, folder.owner(), pid.getAsLong(), sink) : before.details();
  }

  private void load(String jobId, Optional<String> owner, long pid, Known before, SampleSink sink) {
    Reading<byte[]> environ = procfs.environ(pid);
    if (before.attempts() == 0) {
      sink.countFailure(environ);
    }
    Optional<byte[]> words = environ.toOptional();
    JobDetails read =
        words.map(all -> JobDetails.ofEnvironment(all, jobId)).orElse(before.details());
    String user = user(read, owner.or(() -> procfs.uid(pid)));
    known.put(
        jobId,
        new Known(new JobDetails(user, read.account(), read.partition()), before.attempts() + 1));
  }

  /** The kernel's uid cannot be forged, unlike the environment. */
  private String user(JobDetails read, Optional<String> uid) {
    return uid.map(users::of).orElse(read.user());
  }

  /** Drops the jobs not visited up in this round. */
  void evictUnused() {
    known.keySet().retainAll(used);
    used.clear();
  }

  /** What is known of a Slurm job beside its id. Unknown fields are empty. */
  record JobDetails(String user, String account, String partition) {

    static final JobDetails NONE = new JobDetails("", "", "");

    /**
     * Slurm's variables in {@code /proc/<pid>/environ}, which the user may change and the read may
     * truncate. Those of another job than the cgroup's were inherited and are ignored.
     */
    static JobDetails ofEnvironment(byte[] environ, String jobId) {
      String user = "";
      String account = "";
      String partition = "";
      String job = "";
      int from = 0;
      for (int at = 0; at < environ.length; at++) {
        if (environ[at] != 0) {
          continue;
        }
        if (isOfSlurm(environ, from)) {
          String word = new String(environ, from, at - from, StandardCharsets.UTF_8);
          job = value(word, "SLURM_JOB_ID=", job);
          user = value(word, "SLURM_JOB_USER=", user);
          account = value(word, "SLURM_JOB_ACCOUNT=", account);
          partition = value(word, "SLURM_JOB_PARTITION=", partition);
        }
        from = at + 1;
      }
      return job.isEmpty() || job.equals(jobId)
          ? new JobDetails(
              LabelText.clean(user), LabelText.clean(account), LabelText.clean(partition))
          : JobDetails.NONE;
    }

    private static boolean isOfSlurm(byte[] environ, int from) {
      return environ.length - from > 6 && environ[from] == 'S' && environ[from + 5] == '_';
    }

    private static String value(String word, String name, String before) {
      return word.startsWith(name) ? word.substring(name.length()) : before;
    }
  }
}
