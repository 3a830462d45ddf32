package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.linux.Folder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The cgroups that Slurm makes for its jobs on this node, below {@code fs/cgroup} of sysfs.
 *
 * <pre>
 * system.slice/slurmstepd.scope/job_1042/step_extern              version 2
 * system.slice/node1_slurmstepd.scope/job_1042/...                several slurmd on a host
 * memory/slurm/uid_1000/job_1042/step_extern                      version 1, any controller
 * memory/slurm_node1/uid_1000/job_1042/...
 * </pre>
 *
 * <p>They tell which ids in the job mapping directory are of jobs that are over, where an epilog
 * failed. A job is over if it has no cgroup, provided that
 *
 * <ol>
 *   <li>Slurm's cgroups are seen here,
 *   <li>some job here has been seen with a {@code step_extern}: Slurm then makes one for every job,
 *       and it lasts as long as the job does ({@code PrologFlags=Contain}); without it, a job
 *       between two steps has no cgroup either,
 *   <li>the file is older than five minutes: a prolog writes it before the job has a cgroup,
 *   <li>the id is a plain number, as Slurm's are.
 * </ol>
 */
final class SlurmCgroups {

  private static final Duration PROLOG = Duration.ofMinutes(5);
  private static final Pattern SCOPE = Pattern.compile("(?:[^/]+_)?slurmstepd\\.scope");
  private static final Pattern HIERARCHY = Pattern.compile("slurm(?:_[^/]+)?");
  private static final Pattern OWNER = Pattern.compile("uid_[0-9]{1,10}");
  private static final Pattern JOB = Pattern.compile("job_[0-9]{1,20}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,20}");

  /** Of each kind of folder: more is no node. */
  private static final int MOST = 4096;

  private static final List<String> CONTROLLERS =
      List.of("memory", "cpuset", "devices", "freezer", "cpu,cpuacct", "cpuacct");

  private final Path cgroups;
  private final InstantSource clock;
  private Map<String, Path> jobs = Map.of();
  private boolean seen;
  private boolean containing;

  /**
   * Those below a mount of cgroup file systems.
   *
   * @param cgroups {@code /sys/fs/cgroup} on a plain host
   */
  SlurmCgroups(Path cgroups, InstantSource clock) {
    this.cgroups = cgroups;
    this.clock = clock;
  }

  /** Looks which jobs there are. What cannot be listed is taken for not seen. */
  void look() {
    Map<String, Path> found = new HashMap<>();
    List<Path> roots = roots();
    seen = !roots.isEmpty();
    for (Path root : roots) {
      Visit ofJob =
          job -> {
            found.putIfAbsent(id(job), job);
            return true;
          };
      seen &= below(root, JOB, ofJob);
      seen &= below(root, OWNER, owner -> below(owner, JOB, ofJob));
    }
    jobs = Map.copyOf(found);
    containing |= jobs.values().stream().anyMatch(SlurmCgroups::hasExternStep);
  }

  /** Whether a job that was written down then is over. */
  boolean isOver(String id, Instant written) {
    return seen
        && containing
        && NUMBER.matcher(id).matches()
        && !jobs.containsKey(id)
        && written.plus(PROLOG).isBefore(clock.instant());
  }

  /** A job that is here. */
  Optional<SlurmJobFolder> job(String id) {
    return Optional.ofNullable(jobs.get(id)).map(SlurmJobFolder::new);
  }

  private List<Path> roots() {
    List<Path> roots = new ArrayList<>();
    below(cgroups.resolve("system.slice"), SCOPE, roots::add);
    for (String controller : CONTROLLERS) {
      if (roots.isEmpty()) {
        below(cgroups.resolve(controller), HIERARCHY, roots::add);
      }
    }
    return roots;
  }

  /** What to do with a folder; whether that could be done. */
  private interface Visit {
    boolean folder(Path folder);
  }

  /** Whether all of the folders of that form could be listed. */
  private static boolean below(Path parent, Pattern form, Visit visit) {
    Reading<Folder> folder = Folder.of(parent, form.asMatchPredicate(), MOST);
    boolean all = folder.failure().isEmpty();
    for (String name : folder.toOptional().map(Folder::names).orElse(List.of())) {
      all &= visit.folder(parent.resolve(name));
    }
    return all && folder.toOptional().map(Folder::all).orElse(true);
  }

  private static String id(Path folder) {
    return folder.getFileName().toString().substring("job_".length());
  }

  private static boolean hasExternStep(Path job) {
    return Files.isDirectory(job.resolve("step_extern"));
  }
}
