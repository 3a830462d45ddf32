package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.ProcessEnvironment;
import io.lapwing.metric.LabelText;
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
    JobDetails details = new JobDetails(read.name(), user, read.account(), read.partition());
    known.put(jobId, new Known(details, before.attempts() + 1));
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

  /** The details of a Slurm job. Unknown fields are empty. */
  record JobDetails(String name, String user, String account, String partition) {

    private static final String JOB_ID = "SLURM_JOB_ID";
    private static final String NAME = "SLURM_JOB_NAME";
    private static final String USER = "SLURM_JOB_USER";
    private static final String ACCOUNT = "SLURM_JOB_ACCOUNT";
    private static final String PARTITION = "SLURM_JOB_PARTITION";
    private static final ProcessEnvironment VARIABLES =
        new ProcessEnvironment(Set.of(JOB_ID, NAME, USER, ACCOUNT, PARTITION));

    static final JobDetails NONE = new JobDetails("", "", "", "");

    /**
     * Slurm's variables in {@code /proc/<pid>/environ}, which the user may change and the read may
     * truncate. Those of another job than the cgroup's were inherited and are ignored.
     */
    static JobDetails ofEnvironment(byte[] environ, String jobId) {
      Map<String, String> values = VARIABLES.parse(environ);
      String job = values.getOrDefault(JOB_ID, "");
      return job.isEmpty() || job.equals(jobId)
          ? new JobDetails(
              clean(values, NAME),
              clean(values, USER),
              clean(values, ACCOUNT),
              clean(values, PARTITION))
          : JobDetails.NONE;
    }

    private static String clean(Map<String, String> values, String name) {
      return LabelText.clean(values.getOrDefault(name, ""));
    }
  }
}
