package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.linux.Folder;
import io.lapwing.linux.SmallFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cgroup of a job of Slurm, which has its processes also while none of them uses a GPU.
 *
 * <pre>
 * job_1042/step_batch/user/task_0/cgroup.procs     version 2
 * job_1042/step_batch/task_0/cgroup.procs          version 1
 * </pre>
 *
 * <p>Only tasks are its user's: the step {@code extern} and the folder {@code slurm} hold root's.
 */
record SlurmJobFolder(Path path) {

  private static final Pattern OWNER = Pattern.compile("uid_([0-9]{1,10})");
  private static final Pattern STEP = Pattern.compile("step_(?!extern)[^/]+|user|task_[0-9]{1,6}");
  private static final Pattern TASK = Pattern.compile("task_[0-9]{1,6}");
  private static final Pattern FIRST = Pattern.compile("([1-9][0-9]{0,9})\\s(?s:.*)");
  private static final int MOST_STEPS = 16;
  private static final int MOST_BYTES = 64;
  private static final int DEEP = 3;

  /** The number of the user, which version 1 tells. */
  Optional<String> owner() {
    Path above = path.getParent();
    Matcher form = OWNER.matcher(above == null ? "" : String.valueOf(above.getFileName()));
    return form.matches() ? Optional.of(form.group(1)) : Optional.empty();
  }

  /** One of its tasks. */
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
        Folder.of(folder, STEP.asMatchPredicate(), MOST_STEPS)
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
    Reading<byte[]> bytes = SmallFile.head(procs, MOST_BYTES);
    Matcher line =
        FIRST.matcher(
            bytes
                .toOptional()
                .map(some -> new String(some, StandardCharsets.ISO_8859_1))
                .orElse(""));
    return line.matches() ? OptionalLong.of(Long.parseLong(line.group(1))) : OptionalLong.empty();
  }
}
