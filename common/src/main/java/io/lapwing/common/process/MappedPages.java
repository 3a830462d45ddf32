package io.lapwing.common.process;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Unmaps the pages of the JVM's class archive and libraries that are resident and unchanged. Most
 * of them were used at the start only, or the kernel mapped them because they are next to a page
 * that was used. They stay in the page cache, and what is used again costs a minor page fault. The
 * class archive and the libraries are mapped for the life of the process, so no address can belong
 * to something else by the time it is passed to madvise(2).
 */
public final class MappedPages {

  /** When the code that only the start needs has run. */
  private static final Duration AFTER_START = Duration.ofMinutes(2);

  private static final Duration INTERVAL = Duration.ofMinutes(10);

  /** Drops pages of a private mapping of a file; those that were written to would be lost. */
  private static final int MADV_DONTNEED = 4;

  private static final Pattern NEVER_UNMAPPED =
      Pattern.compile(".*/(lapwing[^/]*\\.jsa|(libjvm|libc|libm|libstdc\\+\\+)\\.so[.0-9]*)");

  /** Columns of a mapping's first line: addresses, permissions, offset, device, inode, path. */
  private static final int COLUMNS = 6;

  private static final String NONE = " 0 kB";

  private long next = System.nanoTime() + AFTER_START.toNanos();

  /** madvise(2), with the types of the header. */
  interface Libc extends Library {
    int madvise(Pointer address, long length, int advice);
  }

  /** A part of the address space. */
  record Mapping(long start, long end) {}

  /** How long until pages should be released again; negative if that is overdue. */
  public Duration untilNext() {
    return Duration.ofNanos(next - System.nanoTime());
  }

  /** Unmaps what can be read again; nothing where the kernel or the C library does not allow it. */
  public void release() {
    next = System.nanoTime() + INTERVAL.toNanos();
    try (BufferedReader smaps =
        Files.newBufferedReader(Path.of("/proc/self/smaps"), StandardCharsets.ISO_8859_1)) {
      List<Mapping> unchanged = unchanged(smaps);
      Libc libc = Native.load("c", Libc.class);
      for (Mapping mapping : unchanged) {
        libc.madvise(new Pointer(mapping.start()), mapping.end() - mapping.start(), MADV_DONTNEED);
      }
    } catch (IOException | LinkageError unavailable) {
      // The pages stay mapped. JNA cannot be loaded where its library cannot be unpacked.
      return;
    }
  }

  /**
   * The read-only mappings that have no page of this process's own, neither in memory nor in swap,
   * from {@code smaps}. A library has such pages where the loader relocated its data, which is
   * before its writable part: that mapping is left whatever the kernel counts.
   */
  static List<Mapping> unchanged(BufferedReader smaps) throws IOException {
    List<Mapping> unchanged = new ArrayList<>();
    String[] mapping = {};
    boolean clean = false;
    boolean taken = false;
    for (String line = smaps.readLine(); line != null; line = smaps.readLine()) {
      if (isAddress(line)) {
        String[] next = line.split(" +", COLUMNS);
        if (taken && isWritablePart(next, mapping)) {
          unchanged.remove(unchanged.size() - 1);
        }
        mapping = next;
        clean = false;
        taken = false;
      } else if (line.startsWith("Anonymous:")) {
        clean = line.endsWith(NONE);
      } else if (line.startsWith("Swap:") && line.endsWith(NONE) && clean && isReadOnly(mapping)) {
        unchanged.add(mapping(mapping[0]));
        taken = true;
      }
    }
    return unchanged;
  }

  private static boolean isWritablePart(String[] mapping, String[] of) {
    return mapping.length == COLUMNS
        && mapping[1].startsWith("rw")
        && mapping[COLUMNS - 1].equals(of[COLUMNS - 1]);
  }

  /** The names of all other lines begin with a capital letter. */
  private static boolean isAddress(String line) {
    return !line.isEmpty() && !Character.isUpperCase(line.charAt(0));
  }

  private static boolean isReadOnly(String[] mapping) {
    return mapping.length == COLUMNS
        && (mapping[1].equals("r--p") || mapping[1].equals("r-xp"))
        && NEVER_UNMAPPED.matcher(mapping[COLUMNS - 1]).matches();
  }

  private static Mapping mapping(String addresses) {
    int dash = addresses.indexOf('-');
    return new Mapping(
        Long.parseUnsignedLong(addresses.substring(0, dash), 16),
        Long.parseUnsignedLong(addresses.substring(dash + 1), 16));
  }
}
