package io.lapwing.linux;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The owner of a process, from {@code /proc/<pid>/cgroup}. Slurm may run within a pod, so a process
 * may have both a job and a pod. Names count only where Slurm and the kubelet make them: users may
 * make cgroups of any name below their own session.
 *
 * <pre>
 * 0::/system.slice/slurmstepd.scope/job_1042/step_0/user/task_0
 * 4:memory:/slurm/uid_1000/job_1042/step_batch/task_0
 * 0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod7e4d..._.slice/cri-containerd-9f....scope
 * 4:memory:/kubepods/besteffort/pod7e4d.../9f...
 * 0::/system.slice/docker-9f....scope
 * 0::/../../kubepods-podc1c7....slice/cri-containerd-9f....scope      seen from within a container
 * </pre>
 *
 * @param jobId Slurm's
 * @param owner the uid of the job's user, from cgroup version 1
 * @param podUid with dashes, or 32 digits for a static pod
 * @param containerId 64 digits
 * @param hidden whether nothing is known because the process is outside of the agent's cgroup
 *     namespace
 */
public record ProcessCgroup(
    Optional<String> jobId,
    Optional<String> owner,
    Optional<String> podUid,
    Optional<String> containerId,
    boolean hidden) {

  private static final Pattern SCOPE = Pattern.compile("(?:.+_)?slurmstepd\\.scope");
  private static final Pattern HIERARCHY = Pattern.compile("slurm(?:_.+)?");
  private static final Pattern JOB = Pattern.compile("job_([0-9]{1,20})");
  private static final Pattern OWNER = Pattern.compile("uid_([0-9]{1,10})");
  private static final String HEX = "[0-9a-f]";
  private static final Pattern POD =
      Pattern.compile(
          "(?:.*-)?pod(%1$s{8}(?:[-_]%1$s{4}){3}[-_]%1$s{12}|%1$s{32})(?:\\.slice.*)?"
              .formatted(HEX));
  private static final Pattern CONTAINER =
      Pattern.compile("(?:.*[-:])?(%s{64})(?:\\.scope)?".formatted(HEX));

  /** A parent of pods; the kubelet's own root may be above. */
  private static final Pattern PODS =
      Pattern.compile("(?:kubelet|kubepods)[-a-z]*(?:\\.slice)?|burstable|besteffort");

  private static final String SYSTEM = "system.slice";
  private static final String ABOVE = "..";
  private static final ProcessCgroup NONE =
      new ProcessCgroup(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);

  /** Ignores lines without two colons and a path. */
  public static ProcessCgroup parse(String text) {
    ProcessCgroup all = text.lines().map(ProcessCgroup::line).reduce(NONE, ProcessCgroup::and);
    boolean nothing = all.jobId.isEmpty() && all.podUid.isEmpty() && all.containerId.isEmpty();
    return new ProcessCgroup(
        all.jobId, all.owner, all.podUid, all.containerId, all.hidden && nothing);
  }

  private static ProcessCgroup line(String line) {
    int controllers = line.indexOf(':');
    int path = line.indexOf(':', controllers + 1);
    return path >= 0 && line.startsWith("/", path + 1)
        ? CgroupPath.of(line.substring(path + 2)).cgroup()
        : NONE;
  }

  /** Of two hierarchies, the first that knows a field. */
  private ProcessCgroup and(ProcessCgroup next) {
    return new ProcessCgroup(
        jobId.or(next::jobId),
        owner.or(next::owner),
        podUid.or(next::podUid),
        containerId.or(next::containerId),
        hidden || next.hidden);
  }

  /**
   * A path in one hierarchy.
   *
   * @param names below the agent's own cgroup root, or below that of an ancestor
   * @param above whether the path left the agent's cgroup namespace; the ancestors of an agent in a
   *     container are root's, so what comes next is as good as at the top
   */
  private record CgroupPath(List<String> names, boolean above) {

    static CgroupPath of(String path) {
      List<String> all = List.of(path.split("/", -1));
      List<String> names = all.stream().dropWhile(ABOVE::equals).toList();
      return new CgroupPath(names, names.size() < all.size());
    }

    ProcessCgroup cgroup() {
      int pod = pod();
      // Slurm in a pod: its cgroups are below that of the container.
      CgroupPath jobs = pod < 0 ? this : new CgroupPath(after(pod + 1), false);
      return new ProcessCgroup(
          jobs.job(),
          jobs.owner(),
          pod < 0 ? Optional.empty() : group(POD, name(pod)).map(uid -> uid.replace('_', '-')),
          names.stream().flatMap(name -> group(CONTAINER, name).stream()).findFirst(),
          above);
    }

    /** The place of the pod's name; -1 without a pod. */
    private int pod() {
      boolean mixed = name(0).equals(SYSTEM) && name(1).endsWith(".service");
      int at = mixed ? 2 : (int) names.stream().takeWhile(PODS.asMatchPredicate()).count();
      return (at > 0 || above) && POD.matcher(name(at)).matches() ? at : -1;
    }

    /** {@code system.slice/slurmstepd.scope/job_N} or {@code slurm/uid_N/job_N}. */
    private Optional<String> job() {
      if (HIERARCHY.matcher(name(0)).matches() && OWNER.matcher(name(1)).matches()) {
        return group(JOB, name(2));
      }
      int scope = above && SCOPE.matcher(name(0)).matches() ? 0 : 1;
      boolean ofSlurm =
          (scope == 0 || name(0).equals(SYSTEM)) && SCOPE.matcher(name(scope)).matches();
      return ofSlurm ? group(JOB, name(scope + 1)) : Optional.empty();
    }

    private Optional<String> owner() {
      return HIERARCHY.matcher(name(0)).matches() && JOB.matcher(name(2)).matches()
          ? group(OWNER, name(1))
          : Optional.empty();
    }

    private String name(int at) {
      return at < names.size() ? names.get(at) : "";
    }

    private List<String> after(int at) {
      return names.subList(Math.min(at + 1, names.size()), names.size());
    }

    private static Optional<String> group(Pattern form, String name) {
      Matcher match = form.matcher(name);
      return match.matches() ? Optional.of(match.group(1)) : Optional.empty();
    }
  }
}
