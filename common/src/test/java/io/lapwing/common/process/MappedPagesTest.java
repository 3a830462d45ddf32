package io.lapwing.common.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.common.process.MappedPages.Mapping;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MappedPagesTest {

  @Test
  void takesUnchangedReadOnlyMappingsOfFilesThatAreNeverUnmapped() throws IOException {
    assertThat(
            unchanged(
                """
                800e30000-8021e9000 r--p 00e31000 fe:00 1843 /usr/lib/lapwing/lapwing.jsa
                Rss:               20132 kB
                Anonymous:             0 kB
                Swap:                  0 kB
                VmFlags: rd mr mw me sd
                7fef1ba52000-7fef1c7aa000 r-xp 00252000 fe:00 1290                       /usr/lib/jvm/my java/lib/server/libjvm.so
                Anonymous:             0 kB
                Swap:                  0 kB
                7fef1cba2000-7fef1ccf8000 r-xp 00026000 fe:00 417                        /usr/lib/x86_64-linux-gnu/libc.so.6
                Anonymous:             0 kB
                Swap:                  0 kB
                """))
        .containsExactly(
            new Mapping(0x800e30000L, 0x8021e9000L),
            new Mapping(0x7fef1ba52000L, 0x7fef1c7aa000L),
            new Mapping(0x7fef1cba2000L, 0x7fef1ccf8000L));
  }

  /**
   * Data that the loader relocated is a process's own, in memory or in swap; the last two are of
   * kernels that do not say.
   */
  @Test
  void leavesWhatWasChangedOrIsWritableOrMayBeUnmapped() throws IOException {
    assertThat(
            unchanged(
                """
                800000000-800e30000 rw-p 00001000 fe:00 1843 /usr/lib/lapwing/lapwing.jsa
                Anonymous:             0 kB
                Swap:                  0 kB
                7fef1ca2d000-7fef1cae5000 r--p 0122c000 fe:00 1290 /usr/lib/jvm/java/lib/server/libjvm.so
                Anonymous:           736 kB
                Swap:                  0 kB
                7fd8c4300000-7fd8c4308000 r--p 00219000 fe:00 993 /usr/lib/libc.so.6
                Anonymous:             0 kB
                Swap:                  0 kB
                7fd8c4308000-7fd8c430a000 rw-p 00221000 fe:00 993 /usr/lib/libc.so.6
                Anonymous:             8 kB
                Swap:                  0 kB
                7fd8c4409000-7fd8c4414000 r--p 0021a000 fe:00 991 /usr/lib/libstdc++.so.6.0.30
                Anonymous:             0 kB
                Swap:                 44 kB
                7fd8c5aaa000-7fd8c5aab000 r--p 000de000 fe:00 992 /usr/lib/libm.so.6
                Swap:                  0 kB
                7fef19400000-7fef1b313000 r--p 00000000 fe:00 1291 /usr/lib/libnvidia-ml.so.1
                Anonymous:             0 kB
                Swap:                  0 kB
                7fef18c00000-7fef18f30000 r--p 00000000 00:00 0
                Anonymous:             0 kB
                Swap:                  0 kB
                7fef1ba52000-7fef1c7aa000 r-xp 00252000 fe:00 1290 /usr/lib/jvm/java/lib/server/libjvm.so
                Anonymous:             0 kB
                """))
        .isEmpty();
  }

  @Test
  void fewerPagesAreResidentAfterwards() throws IOException {
    long before = residentOfJvm();
    MappedPages pages = new MappedPages();
    pages.release();
    assertThat(residentOfJvm()).isPositive().isLessThan(before);
    assertThat(pages.untilNext()).isGreaterThan(Duration.ofMinutes(9));
  }

  private static List<Mapping> unchanged(String smaps) throws IOException {
    return MappedPages.unchanged(new BufferedReader(new StringReader(smaps)));
  }

  /** KiB of the JVM's code. */
  private static long residentOfJvm() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains(" r-xp ") && lines.get(i).endsWith("/libjvm.so")) {
        for (String line : lines.subList(i, lines.size())) {
          if (line.startsWith("Rss:")) {
            return Long.parseLong(line.replaceAll("\\D", ""));
          }
        }
      }
    }
    return -1;
  }
}
