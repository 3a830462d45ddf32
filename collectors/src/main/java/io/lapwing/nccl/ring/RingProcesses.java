package io.lapwing.nccl.ring;

import io.lapwing.linux.LockTable;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.UserFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** What the kernel says about the processes that write ring files. */
@FunctionalInterface
public interface RingProcesses {

  /**
   * The process with the lock of a file; empty if none has it, or if it is not the user's whose
   * file it is.
   */
  Optional<Writer> writer(Path path, UserFile.Attributes file);

  /**
   * A process that writes a ring file.
   *
   * @param user the uid of the file's owner
   * @param pid as in procfs; empty if it is not visible there
   */
  record Writer(long user, OptionalLong pid) {}

  /** From the lock, {@code locks} and {@code PID/status}. */
  static RingProcesses of(ProcFs proc) {
    LockTable locks = new LockTable(proc);
    return (path, file) -> {
      try {
        if (!UserFile.lock(path, file).held()) {
          return Optional.empty();
        }
        OptionalLong pid = locks.holder(file);
        Optional<Long> user =
            pid.isPresent() ? proc.uid(pid.getAsLong()).toOptional() : Optional.empty();
        return user.orElse(file.user()) == file.user()
            ? Optional.of(new Writer(file.user(), pid))
            : Optional.empty();
      } catch (IOException gone) {
        return Optional.empty();
      }
    };
  }
}
