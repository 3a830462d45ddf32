package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.linux.Folder;
import io.lapwing.linux.SmallFile;
import java.nio.charset.StandardCharsets;
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
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cgroups of Slurm's jobs on this node, below {@code fs/cgroup} of sysfs.
 *
 * <pre>
 * system.slice/slurmstepd.scope/job_1042/step_extern              version 2
 * system.slice/node1_slurmstepd.scope/job_1042/...                several slurmd on a host
 * memory/slurm/uid_1000/job_1042/step_extern                      version 1, any controller
 * memory/slurm_node1/uid_1000/job_1042/...
 * </pre>
 *
 * <p>They show which jobs in the job mapping directory have ended, in case an epilog failed: those
 * without a cgroup, provided that Slurm's cgroups are visible; a {@code step_extern} was seen on
 * this node, which Slurm creates for every job with {@code PrologFlags=Contain} (without it, a job
 * between two steps has no cgroup either); the file is older than five minutes, since a prolog
 * writes it before the job has a cgroup; and the id is a plain number, as Slurm's are.
 */
final class SlurmCgroups {

  private static final Duration PROLOG = Duration.ofMinutes(5);
  private static final Pattern SCOPE = Pattern.compile("(?:[^/]+_)?slurmstepd\\.scope");
  private static final Pattern HIERARCHY = Pattern.compile("slurm(?:_[^/]+)?");
  private static final Pattern OWNER = Pattern.compile("uid_[0-9]{1,10}");
  private static final Pattern JOB = Pattern.compile("job_[0-9]{1,20}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,20}");

  private static final int MAX_FOLDERS = 4096;

  private static final List<String> CONTROLLERS =
      List.of("memory", "cpuset", "devices", "freezer", "cpu,cpuacct", "cpuacct");

  private final Path cgroups;
  private final InstantSource clock;
  private Map<String, Path> jobs = Map.of();
  private boolean seen;
  private boolean containing;

  SlurmCgroups(Path cgroups, InstantSource clock) {
    this.cgroups = cgroups;
    this.clock = clock;
  }

  /** Lists the jobs. A folder that cannot be listed makes the cgroups count as not visible. */
  void refresh() {
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

  /** Whether a job that was recorded at that time has ended. */
  boolean hasEnded(String id, Instant written) {
    return seen
        && containing
        && NUMBER.matcher(id).matches()
        && !jobs.containsKey(id)
        && written.plus(PROLOG).isBefore(clock.instant());
  }

  Optional<JobFolder> job(String id) {
    return Optional.ofNullable(jobs.get(id)).map(JobFolder::new);
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

  /** Visits a folder and returns whether that succeeded. */
  private interface Visit {
    boolean folder(Path folder);
  }

  /** Whether all matching folders were listed. */
  private static boolean below(Path parent, Pattern form, Visit visit) {
    Reading<Folder> folder = Folder.of(parent, form.asMatchPredicate(), MAX_FOLDERS);
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

  /**
   * The cgroup of a Slurm job. It has processes even while none of them uses a GPU.
   *
   * <pre>
   * job_1042/step_batch/user/task_0/cgroup.procs     version 2
   * job_1042/step_batch/task_0/cgroup.procs          version 1
   * </pre>
   *
   * Only tasks run as the user: {@code step_extern} and the folder {@code slurm} hold root's
   * processes.
   */
  record JobFolder(Path path) {

    private static final Pattern OWNER = Pattern.compile("uid_([0-9]{1,10})");
    private static final Pattern STEP =
        Pattern.compile("step_(?!extern)[^/]+|user|task_[0-9]{1,6}");
    private static final Pattern TASK = Pattern.compile("task_[0-9]{1,6}");
    private static final Pattern FIRST = Pattern.compile("([1-9][0-9]{0,9})\\s(?s:.*)");
    private static final int MAX_STEPS = 16;
    private static final int MAX_BYTES = 64;
    private static final int DEEP = 3;

    /** The uid of the job's user, from cgroup version 1. */
    Optional<String> owner() {
      Path above = path.getParent();
      Matcher form = OWNER.matcher(above == null ? "" : String.valueOf(above.getFileName()));
      return form.matches() ? Optional.of(form.group(1)) : Optional.empty();
    }

    OptionalLong process() {
      return process(path, DEEP);
    }

    private static OptionalLong process(Path folder, int deep) {
      OptionalLong own =
          TASK.matcher(String.valueOf(folder.getFileName())).matches()
              ? first(folder.resolve("cgroup.procs"))
              : OptionalLong.empty();
      if (own.isPresent() || deep == 0) {
        return own;
      }
      List<String> below =
          Folder.of(folder, STEP.asMatchPredicate(), MAX_STEPS)
              .toOptional()
              .map(Folder::names)
              .orElse(List.of());
      for (String name : below) {
        OptionalLong found = process(folder.resolve(name), deep - 1);
        if (found.isPresent()) {
          return found;
        }
      }
      return OptionalLong.empty();
    }

    private static OptionalLong first(Path procs) {
      Reading<byte[]> bytes = SmallFile.head(procs, MAX_BYTES);
      Matcher line =
          FIRST.matcher(
              bytes
                  .toOptional()
                  .map(some -> new String(some, StandardCharsets.ISO_8859_1))
                  .orElse(""));
      return line.matches() ? OptionalLong.of(Long.parseLong(line.group(1))) : OptionalLong.empty();
    }
  }
}
