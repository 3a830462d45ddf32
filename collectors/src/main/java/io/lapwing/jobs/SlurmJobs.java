package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What is known of each Slurm job on this node, asked once and kept while the job is here. */
final class SlurmJobs {

  private final Procfs procfs;
  private final UserNames users;
  private final Map<String, Known> known = new HashMap<>();
  private final Set<String> mentioned = new HashSet<>();

  /** A job may have processes that know nothing of it; it is not asked for ever. */
  private static final int MOST_ASKED = 8;

  private record Known(JobDetails details, int asked) {

    private boolean isEnough() {
      return !details.account().isEmpty() || asked >= MOST_ASKED;
    }
  }

  SlurmJobs(Procfs procfs, UserNames users) {
    this.procfs = procfs;
    this.users = users;
  }

  /**
   * A job that has this process.
   *
   * @param owner the number of its user where the cgroup tells it
   */
  JobDetails of(String jobId, Optional<String> owner, long pid, SampleSink sink) {
    mentioned.add(jobId);
    Known before = known.getOrDefault(jobId, new Known(JobDetails.NONE, 0));
    if (!before.isEnough()) {
      ask(jobId, owner, pid, before, sink);
    }
    return known.getOrDefault(jobId, before).details();
  }

  /** A job of which only the cgroup is known. */
  JobDetails of(String jobId, SlurmJobFolder folder, SampleSink sink) {
    mentioned.add(jobId);
    Known before = known.getOrDefault(jobId, new Known(JobDetails.NONE, 0));
    OptionalLong pid = before.isEnough() ? OptionalLong.empty() : folder.process();
    return pid.isPresent() ? of(jobId, folder.owner(), pid.getAsLong(), sink) : before.details();
  }

  private void ask(String jobId, Optional<String> owner, long pid, Known before, SampleSink sink) {
    Reading<byte[]> environ = procfs.environ(pid);
    if (environ instanceof Reading.Failed<?> failed && before.asked() == 0) {
      sink.failed(failed.question(), failed.reason());
    }
    Optional<byte[]> words = environ.toOptional();
    JobDetails told = words.map(all -> JobEnvironment.parse(all, jobId)).orElse(before.details());
    String user = user(told, owner.or(() -> procfs.uid(pid)));
    known.put(
        jobId,
        new Known(new JobDetails(user, told.account(), told.partition()), before.asked() + 1));
  }

  /**
   * The kernel's number cannot be forged as an environment can. Where passwd has no name for it,
   * the environment has the better one.
   */
  private String user(JobDetails told, Optional<String> uid) {
    Optional<String> name = uid.flatMap(users::name);
    return name.orElseGet(() -> told.user().isEmpty() ? uid.orElse("") : told.user());
  }

  /** Forgets the jobs that nobody mentioned in this round. */
  void forgetOthers() {
    known.keySet().retainAll(mentioned);
    mentioned.clear();
  }
}
