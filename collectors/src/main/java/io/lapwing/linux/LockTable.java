package io.lapwing.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file locks of {@code locks} in procfs, with pids of the PID namespace of that procfs; those
 * of processes that are not visible there are absent.
 *
 * <pre>
 * 1: POSIX  ADVISORY  WRITE 3525 00:1b:275280 0 0
 * 2: FLOCK  ADVISORY  WRITE 3301 fe:00:2154571 0 EOF
 * 3: -> POSIX  ADVISORY  WRITE 99 00:1b:275280 0 0         waits for the lock
 * </pre>
 */
public final class LockTable {

  /** Any user may take any number of locks. */
  private static final int MAX_LINES = 20_000;

  private static final Pattern LINE =
      Pattern.compile("\\d+: POSIX +\\S+ +WRITE +(\\d{1,9}) ([0-9a-f]+:[0-9a-f]+:\\d+) 0 .*");

  private static final Pattern ONE_PID = Pattern.compile("(?s).*\\nNSpid:\\t\\d+\\n.*");
  private static final int MAX_STATUS = 4096;

  private final ProcFs proc;
  private final boolean ours;

  /** Of this procfs. */
  public LockTable(ProcFs proc) {
    this.proc = proc;
    this.ours = isOfOurNamespace(proc.path().resolve("self"));
  }

  private static boolean isOfOurNamespace(Path self) {
    return !Files.isSymbolicLink(self)
        || SmallFile.whole(self.resolve("status"), MAX_STATUS)
            .toOptional()
            .filter(status -> ONE_PID.matcher(status).matches())
            .isPresent();
  }

  /**
   * Whether the pids of this procfs are those of the agent's own PID namespace; otherwise, as where
   * a container has the host's procfs, a process has one pid in each. A copy without {@code self}
   * is of a simulated node.
   */
  public boolean hasOurPids() {
    return ours;
  }

  /**
   * A lock with the pid that its process has in this procfs. The table is searched only where that
   * is not the pid that the kernel has for the agent: any user can fill it.
   */
  public UserFile.Lock inProcFs(UserFile.Lock lock, UserFile.Attributes file) throws IOException {
    return lock.held() && !ours ? new UserFile.Lock(true, holder(file)) : lock;
  }

  /** The process with a write lock on the start of a file; empty if none is visible. */
  public OptionalLong holder(UserFile.Attributes file) throws IOException {
    String place =
        String.format(
            Locale.ROOT, "%02x:%02x:%d", major(file.device()), minor(file.device()), file.inode());
    Path locks = proc.path().resolve("locks");
    try (BufferedReader lines = Files.newBufferedReader(locks, StandardCharsets.ISO_8859_1)) {
      String line = lines.readLine();
      for (int read = 0; line != null && read < MAX_LINES; read++, line = lines.readLine()) {
        Matcher lock = LINE.matcher(line);
        if (lock.matches() && lock.group(2).equals(place)) {
          return OptionalLong.of(Long.parseLong(lock.group(1)));
        }
      }
      return OptionalLong.empty();
    }
  }

  // As the C library takes a dev_t apart.
  private static long major(long device) {
    return ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
  }

  private static long minor(long device) {
    return (device & 0xff) | ((device >>> 12) & 0xffffff00L);
  }
}
