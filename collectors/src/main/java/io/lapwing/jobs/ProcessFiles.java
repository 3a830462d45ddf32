package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.linux.SmallFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

record ProcessFiles(Path path) {

  private static final int CGROUP_BYTES = 16 * 1024;
  private static final int STATUS_BYTES = 4 * 1024;

  /** An environment may be megabytes long; Slurm's variables come first. */
  private static final int ENVIRON_BYTES = 128 * 1024;

  private static final String UID = "\nUid:\t";

  /** Missing if there is no such process. */
  Reading<ProcessCgroup> cgroup(long pid) {
    return SmallFile.whole(of(pid).resolve("cgroup"), CGROUP_BYTES).map(ProcessCgroup::parse);
  }

  /** Readable by root only for processes of others. */
  Reading<byte[]> environ(long pid) {
    return SmallFile.head(of(pid).resolve("environ"), ENVIRON_BYTES);
  }

  /** The real uid of the process; world-readable. */
  Optional<String> uid(long pid) {
    return SmallFile.head(of(pid).resolve("status"), STATUS_BYTES)
        .toOptional()
        .flatMap(bytes -> uid(new String(bytes, StandardCharsets.ISO_8859_1)));
  }

  /** Pid 2 of a host is the kernel thread kthreadd; that of a container is not. */
  boolean isOfHost() {
    return SmallFile.head(path.resolve("2/comm"), 64)
        .toOptional()
        .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1).strip())
        .filter("kthreadd"::equals)
        .isPresent();
  }

  static Optional<String> uid(String status) {
    int from = status.indexOf(UID) + UID.length();
    int to = from;
    while (from >= UID.length() && to < status.length() && isDigit(status.charAt(to))) {
      to++;
    }
    return to > from && to - from <= 10
        ? Optional.of(status.substring(from, to))
        : Optional.empty();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private Path of(long pid) {
    return path.resolve(String.valueOf(pid));
  }
}
