package io.lapwing.jobs;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The owner of a process, from {@code /proc/<pid>/cgroup}. Slurm may run within a pod, so a process
 * may have both a job and a pod.
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
record ProcessCgroup(
    Optional<String> jobId,
    Optional<String> owner,
    Optional<String> podUid,
    Optional<String> containerId,
    boolean hidden) {

  private static final Pattern SLURM = Pattern.compile("slurm|slurm_.+|(?:.+_)?slurmstepd\\.scope");
  private static final Pattern JOB = Pattern.compile("job_([0-9]{1,20})");
  private static final Pattern OWNER = Pattern.compile("uid_([0-9]{1,10})");
  private static final String HEX = "[0-9a-f]";
  private static final Pattern POD =
      Pattern.compile(
          "(?:.*-)?pod(%1$s{8}(?:[-_]%1$s{4}){3}[-_]%1$s{12}|%1$s{32})(?:\\.slice.*)?"
              .formatted(HEX));
  private static final Pattern CONTAINER =
      Pattern.compile("(?:.*[-:])?(%s{64})(?:\\.scope)?".formatted(HEX));

  /** Ignores lines without two colons and a path. */
  static ProcessCgroup parse(String text) {
    Words words = new Words();
    text.lines().forEach(words::line);
    return words.cgroup();
  }

  /** Collects the fields; the first line that has one wins. */
  private static final class Words {

    private Optional<String> jobId = Optional.empty();
    private Optional<String> owner = Optional.empty();
    private Optional<String> podUid = Optional.empty();
    private Optional<String> containerId = Optional.empty();
    private boolean outside;

    void line(String line) {
      int controllers = line.indexOf(':');
      int path = line.indexOf(':', controllers + 1);
      if (path >= 0 && line.startsWith("/", path + 1)) {
        path(line.substring(path + 1));
      }
    }

    private void path(String path) {
      outside |= path.startsWith("/..");
      boolean ofSlurm = false;
      for (String name : path.split("/", -1)) {
        if (ofSlurm) {
          owner = owner.or(() -> group(OWNER, name));
          jobId = jobId.or(() -> group(JOB, name));
        }
        ofSlurm |= SLURM.matcher(name).matches();
        podUid = podUid.or(() -> group(POD, name).map(uid -> uid.replace('_', '-')));
        containerId = containerId.or(() -> group(CONTAINER, name));
      }
    }

    private static Optional<String> group(Pattern form, String name) {
      Matcher match = form.matcher(name);
      return match.matches() ? Optional.of(match.group(1)) : Optional.empty();
    }

    ProcessCgroup cgroup() {
      boolean nothing = jobId.isEmpty() && podUid.isEmpty() && containerId.isEmpty();
      return new ProcessCgroup(jobId, owner, podUid, containerId, outside && nothing);
    }
  }
}
