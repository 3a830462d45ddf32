package io.lapwing.agent.memory;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import io.lapwing.agent.log.Log;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The pages of the JVM's library and of the class archive that only the start needed.
 *
 * <p>A start walks through nearly all of both, and they stay in the page table although the running
 * agent looks at less than half of them. Once it runs, all of them are let go; those that it does
 * need come back by themselves, out of the page cache and without reading a disk. Only what is
 * mapped read-only and unchanged is touched, so that nothing can be lost.
 */
public final class StartPages {

  /**
   * By then the first pages are served; later the start's pages and the heap would be there both.
   */
  public static final Duration START = Duration.ofSeconds(15);

  /** By then every source was read at each of its cadences, judged and scraped. */
  private static final Duration SETTLED = Duration.ofMinutes(1);

  /** What a rare request or a fault has walked through since is let go as well. */
  private static final Duration AGAIN = Duration.ofHours(1);

  private static final Log LOG = Log.of(StartPages.class);
  private static final int MADV_DONTNEED = 4;

  /** Smaller ones are not worth the call. */
  private static final long WORTH_KIB = 256;

  private StartPages() {}

  /** How long to wait for the next time, after a time that was waited for so long. */
  public static Duration after(Duration pause) {
    return pause.equals(START) ? SETTLED : AGAIN;
  }

  /** Lets them go. Where that is not possible everything stays as it was. */
  public static void letGo() {
    try {
      long kib = 0;
      Function madvise = NativeLibrary.getProcess().getFunction("madvise");
      for (Mapping mapping : Mapping.parse(Files.readAllLines(Path.of("/proc/self/smaps")))) {
        if (mapping.isOnlyTheFile() && mapping.residentKib() >= WORTH_KIB) {
          kib += advise(madvise, mapping) ? mapping.residentKib() : 0;
        }
      }
      LOG.debug("let go of what the start mapped", "kib", kib);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("the pages of the start stay mapped", "reason", e);
    }
  }

  private static boolean advise(Function madvise, Mapping mapping) {
    Object[] arguments = {
      new Pointer(mapping.start()), new NativeLong(mapping.bytes()), MADV_DONTNEED
    };
    return madvise.invokeInt(arguments) == 0;
  }
}
