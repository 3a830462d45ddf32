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
 * Where the modules have their files, in the order of {@code lctl get_param}: over the versions
 * they moved from {@code /proc/fs/lustre} to {@code /sys/fs/lustre} and debugfs.
 */
public final class LustreRoots {

  /** Failures after which a folder may still be in another root. */
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

  /** The root that only the superuser can enter. */
  Path debugfs() {
    return all.get(1);
  }

  boolean present() {
    return all.stream().anyMatch(Files::isDirectory);
  }

  /** Lists the folders of a parameter in all roots; a root that cannot be entered adds none. */
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

  /** {@code no_permission} if the file may be in a root that cannot be entered. */
  Found find(String parameter) {
    Reading<KernelText> absent = new Reading.Missing<>(parameter);
    for (Path root : all) {
      Path file = root.resolve(parameter);
      Reading<KernelText> reading = KernelText.read(file);
      if (reading.failure().equals(Optional.of("no_permission"))) {
        absent = reading;
      } else if (!(reading instanceof Reading.Missing)) {
        return new Found(Optional.of(file), reading);
      }
    }
    return new Found(Optional.empty(), absent);
  }

  /** The place is empty if no root has the file. */
  record Found(Optional<Path> place, Reading<KernelText> reading) {}
}
