package io.lapwing.nccl.ring;

import io.lapwing.linux.LockTable;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.ProcessCgroup;
import io.lapwing.linux.UserFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** The kernel's information about the processes that write ring files. */
@FunctionalInterface
public interface RingProcesses {

  /** States of {@link #state}, as in {@code PID/stat}: T and t, D. */
  String STOPPED = "stopped";

  String BLOCKED = "blocked";

  /**
   * The process with the lock of a file; empty if none has it, or if it does not belong to the
   * file's owner.
   */
  Optional<Writer> writer(Path path, UserFile.Attributes file);

  /** The Slurm job of the process's cgroup. */
  default Optional<String> job(long pid) {
    return Optional.empty();
  }

  /** The uid of the process's pod in Kubernetes. */
  default Optional<String> pod(long pid) {
    return Optional.empty();
  }

  /** The account of a uid: a user may have many uids. */
  default String account(long uid) {
    return Long.toString(uid);
  }

  /**
   * {@link #STOPPED} or {@link #BLOCKED}; empty if it runs, waits in the usual way, or has ended.
   */
  default String state(long pid) {
    return "";
  }

  /**
   * A process that writes a ring file.
   *
   * @param user the uid of the file's owner
   * @param pid as in procfs; empty if it is not visible there
   * @param started when it started, in clock ticks since boot; empty if it is not visible
   * @param verified whether the kernel confirms that it is the owner's
   */
  record Writer(long user, OptionalLong pid, OptionalLong started, boolean verified) {

    /** Verified if it is visible. */
    public Writer(long user, OptionalLong pid) {
      this(user, pid, pid, pid.isPresent());
    }

    /** Whether another check of the lock found the same process, as far as it was visible. */
    boolean isSame(Writer other) {
      boolean samePid = pid.isEmpty() || other.pid.isEmpty() || pid.equals(other.pid);
      boolean sameStart =
          started.isEmpty() || other.started.isEmpty() || started.equals(other.started);
      return user == other.user && samePid && sameStart;
    }
  }

  /** From the lock, {@code locks}, and {@code status}, {@code stat} and {@code cgroup} of a pid. */
  static RingProcesses of(ProcFs proc, LongFunction<String> accounts) {
    return new ProcRingProcesses(proc, new LockTable(proc), accounts);
  }

  /** See {@link #of}. */
  record ProcRingProcesses(ProcFs proc, LockTable locks, LongFunction<String> accounts)
      implements RingProcesses {

    @Override
    public Optional<Writer> writer(Path path, UserFile.Attributes file) {
      try {
        UserFile.Lock lock = locks.inProcFs(UserFile.lock(path, file), file);
        if (!lock.held()) {
          return Optional.empty();
        }
        OptionalLong pid = lock.pid();
        if (pid.isEmpty()) {
          return Optional.of(new Writer(file.user(), pid));
        }
        Optional<Long> user = proc.uid(pid.getAsLong()).toOptional();
        OptionalLong started =
            proc.startTicks(pid.getAsLong())
                .map(OptionalLong::of)
                .toOptional()
                .orElse(OptionalLong.empty());
        return user.orElse(file.user()) == file.user()
            ? Optional.of(new Writer(file.user(), pid, started, user.isPresent()))
            : Optional.empty();
      } catch (IOException gone) {
        return Optional.empty();
      }
    }

    @Override
    public Optional<String> job(long pid) {
      return proc.cgroup(pid).toOptional().flatMap(ProcessCgroup::jobId);
    }

    @Override
    public Optional<String> pod(long pid) {
      return proc.cgroup(pid).toOptional().flatMap(ProcessCgroup::podUid);
    }

    @Override
    public String account(long uid) {
      return accounts.apply(uid);
    }

    @Override
    public String state(long pid) {
      return proc.state(pid).map(ProcRingProcesses::word).toOptional().orElse("");
    }

    private static String word(char letter) {
      return switch (letter) {
        case 'T', 't' -> STOPPED;
        case 'D' -> BLOCKED;
        default -> "";
      };
    }
  }
}
