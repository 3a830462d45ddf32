package io.lapwing.lustre;

import io.lapwing.collect.Reading;
import io.lapwing.linux.FileFailure;
import io.lapwing.linux.Folder;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SysFs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where the modules put their files: version by version they moved from {@code /proc/fs/lustre} to
 * {@code /sys/fs/lustre} and debugfs, so they are looked for in the order in which {@code lctl
 * get_param} does.
 */
public final class LustreRoots {

  /** Reasons for which a folder may still be in another root. */
  private static final Set<String> ELSEWHERE =
      Set.of(FileFailure.NO_PERMISSION, FileFailure.NOT_A_FOLDER);

  private final List<Path> all;

  public LustreRoots(SysFs sys, ProcFs proc) {
    this.all =
        List.of(
            sys.path().resolve("fs/lustre"),
            sys.path().resolve("kernel/debug/lustre"),
            proc.path().resolve("fs/lustre"));
  }

  /** The one that only root may look into. */
  Path debugfs() {
    return all.get(1);
  }

  /** Whether the modules are loaded. */
  boolean present() {
    return all.stream().anyMatch(Files::isDirectory);
  }

  /**
   * The names of the folders in a folder, wherever it is; a root that must not be looked into adds
   * none.
   *
   * @param parameter such as {@code osc}
   */
  Reading<Set<String>> folders(String parameter) {
    Set<String> names = new TreeSet<>();
    for (Path root : all) {
      Reading<Folder> folder = Folder.of(root.resolve(parameter));
      if (folder instanceof Reading.Failed<Folder> failed && !ELSEWHERE.contains(failed.reason())) {
        return new Reading.Failed<>(failed.question(), failed.reason());
      }
      folder.toOptional().ifPresent(present -> names.addAll(present.names()));
    }
    return Reading.of(names);
  }

  /**
   * One file, wherever it is.
   *
   * @return a failure {@code no_permission} where it may be in a root that must not be looked into
   */
  Found find(String parameter) {
    Reading<KernelText> nowhere = new Reading.Missing<>(parameter);
    for (Path root : all) {
      Path file = root.resolve(parameter);
      Reading<KernelText> reading = KernelText.read(file);
      if (reading.failure().equals(Optional.of("no_permission"))) {
        nowhere = reading;
      } else if (!(reading instanceof Reading.Missing)) {
        return new Found(Optional.of(file), reading);
      }
    }
    return new Found(Optional.empty(), nowhere);
  }

  /**
   * What was found.
   *
   * @param place where it may be looked for next time; empty where it is not
   */
  record Found(Optional<Path> place, Reading<KernelText> reading) {}
}
