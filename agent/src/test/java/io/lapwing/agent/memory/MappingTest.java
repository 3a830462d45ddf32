package io.lapwing.agent.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MappingTest {

  private static Mapping mapping(String permissions, String file, String... counts) {
    String head =
        "7f9e6000-7f9e8000 " + permissions + " 00001000 fe:00 1234                  " + file;
    return Mapping.parse(
            List.of(
                head,
                "Size:                  8 kB",
                "Rss:                   8 kB",
                counts.length == 0 ? "Anonymous:             0 kB" : counts[0],
                "VmFlags: rd ex mr mw me"))
        .get(0);
  }

  @Test
  void aMappingKnowsItsPlaceItsFileAndHowMuchOfItIsResident() {
    assertThat(mapping("r-xp", "/usr/lib/a library.so"))
        .isEqualTo(new Mapping(0x7f9e6000L, 0x2000, "r-xp", "/usr/lib/a library.so", 8, 0));
  }

  @Test
  void aReadOnlyMappingOfAFileIsOnlyTheFile() {
    assertThat(mapping("r-xp", "/lib/libjvm.so").isOnlyTheFile()).isTrue();
    assertThat(mapping("r--s", "/lib/modules").isOnlyTheFile()).isTrue();
  }

  @Test
  void whatCanBeWrittenToIsNot() {
    assertThat(mapping("rw-p", "/lib/libjvm.so").isOnlyTheFile()).isFalse();
  }

  @Test
  void whatWasWrittenToBeforeIsNot() {
    assertThat(mapping("r--p", "/lib/libjvm.so", "Anonymous:             4 kB").isOnlyTheFile())
        .isFalse();
    assertThat(mapping("r--p", "/lib/libjvm.so", "Private_Dirty:         4 kB").isOnlyTheFile())
        .isFalse();
    assertThat(mapping("r--p", "/lib/libjvm.so", "Swap:                  4 kB").isOnlyTheFile())
        .isFalse();
  }

  @Test
  void memoryWithoutAFileIsNot() {
    assertThat(mapping("r--p", "").isOnlyTheFile()).isFalse();
    assertThat(mapping("r-xp", "[vdso]").isOnlyTheFile()).isFalse();
  }

  @Test
  void theStartsPagesAreLetGoSoonThenOnceAllWasReadAndThenSeldom() {
    Duration settled = StartPages.after(StartPages.START);
    assertThat(settled).isEqualTo(Duration.ofMinutes(1));
    assertThat(StartPages.after(settled)).isEqualTo(Duration.ofHours(1));
    assertThat(StartPages.after(Duration.ofHours(1))).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void thisProcessLetsGoOfPagesAndRunsOn() throws Exception {
    StartPages.letGo();

    List<Mapping> own = Mapping.parse(Files.readAllLines(Path.of("/proc/self/smaps")));
    assertThat(own).anyMatch(mapping -> mapping.file().endsWith("/libjvm.so"));
    assertThat(own).anyMatch(Mapping::isOnlyTheFile);
  }
}
