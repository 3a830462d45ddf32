package io.lapwing.lustre;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.SampleSink;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnchangedFileTest {

  @TempDir Path dir;
  private Path file;
  private LustreFiles files;
  private int parsed;
  private final LustreFiles.Parser<StatsFile> counting =
      text -> {
        parsed++;
        return StatsFile.parse(text);
      };

  private static final class Failures implements SampleSink {
    final List<String> reasons = new ArrayList<>();

    @Override
    public void add(Metric metric, Labels labels, double value) {
      throw new AssertionError("no sample is written here");
    }

    @Override
    public void failed(String question, String reason) {
      reasons.add(reason);
    }
  }

  private final Failures failures = new Failures();

  @BeforeEach
  void start() throws IOException {
    file = Files.createDirectories(dir.resolve("sys/fs/lustre/osc/a")).resolve("stats");
    files =
        new LustreFiles(
            new LustreRoots(new SysFs(dir.resolve("sys")), new ProcFs(dir.resolve("proc"))));
  }

  private StatsFile read(String content) throws IOException {
    Files.writeString(file, content);
    return files.read("osc/a/stats", counting, failures).orElseThrow();
  }

  @Test
  void aFileOfWhichOnlyTheTimeChangesIsParsedOnce() throws IOException {
    StatsFile first = read(SomeFiles.LLITE_2_15);
    StatsFile next =
        read(
            SomeFiles.LLITE_2_15
                .replace("1690000000.123456789", "1690000015.223456789")
                .replace("10000.123456788", "10015.223456788"));

    assertThat(next).isSameAs(first);
    assertThat(parsed).isEqualTo(1);
  }

  @Test
  void everyOtherDigitIsRead() throws IOException, ParseFailure {
    String text = SomeFiles.LLITE_2_15;
    for (int at = text.indexOf("read_bytes"); at < text.length(); at++) {
      if (Character.isDigit(text.charAt(at))) {
        read(text);
        String changed = text.substring(0, at) + "3" + text.substring(at + 1);
        assertThat(read(changed)).isEqualTo(StatsFile.parse(KernelText.of("file", changed)));
      }
    }
  }

  @Test
  void aMalformedFileFailsInEachRead() throws IOException {
    read(SomeFiles.LLITE_2_15);
    Files.writeString(file, "snapshot_time             1690000000.123456789 secs.nsecs\nopen\n");
    for (int i = 0; i < 2; i++) {
      assertThat(files.read("osc/a/stats", counting, failures)).isEmpty();
    }

    assertThat(failures.reasons).containsExactly("malformed", "malformed");
    read(SomeFiles.LLITE_2_15);
  }

  /** The files of a pod's mount, which has another name each time. */
  @Test
  void filesOfMountsThatAreGoneAreForgotten() throws IOException {
    read(SomeFiles.LLITE_2_15);
    for (int mount = 0; mount < 20; mount++) {
      files.reading("osc/b" + mount + "/stats");
      for (int round = 0; round < 300; round++) {
        files.reading("osc/a/stats");
      }
    }
    assertThat(files.size()).isLessThan(5);
    assertThat(files.readIfThere("osc/a/stats", counting, failures)).isPresent();
    assertThat(parsed).as("what is read stays known").isEqualTo(1);
  }

  @Test
  void anotherParserReadsTheFileAnew() throws IOException {
    read(SomeFiles.LLITE_2_15);

    assertThat(files.read("osc/a/stats", text -> text.lines().size(), failures)).contains(9);
  }
}
