package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.ProcessCgroup;
import io.lapwing.linux.SmallFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

record ProcessFiles(Path path) {

  /** Missing if there is no such process. */
  Reading<ProcessCgroup> cgroup(long pid) {
    return new ProcFs(path).cgroup(pid);
  }

  /** Readable by root only for processes of others. */
  Reading<byte[]> environ(long pid) {
    return new ProcFs(path).environ(pid);
  }

  /** The program's name, at most 15 bytes of it, which the process can change. */
  Optional<String> comm(long pid) {
    return SmallFile.text(path.resolve(pid + "/comm")).toOptional().map(String::strip);
  }

  /** The real uid of the process; world-readable. */
  Optional<String> uid(long pid) {
    return new ProcFs(path).uid(pid).toOptional().map(String::valueOf);
  }

  /** Pid 2 of a host is the kernel thread kthreadd; that of a container is not. */
  boolean isOfHost() {
    return SmallFile.head(path.resolve("2/comm"), 64)
        .toOptional()
        .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1).strip())
        .filter("kthreadd"::equals)
        .isPresent();
  }
}
