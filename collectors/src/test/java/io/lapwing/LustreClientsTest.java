package io.lapwing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Collector;
import io.lapwing.collect.RecordedSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SysFs;
import io.lapwing.lnet.LnetSource;
import io.lapwing.lustre.LustreDetail;
import io.lapwing.lustre.LustreRoots;
import io.lapwing.lustre.LustreSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Folders as clients of five versions show them, written by hand, and every line that comes of
 * them. {@code -Dgolden.update} writes the lines; then they are to be read against the files.
 */
class LustreClientsTest {

  private static final Path CLIENTS = Path.of("src/test/resources/lustre");
  private static final Path GOLDEN = Path.of("src/test/resources/golden");
  private static final String DEBUGFS = "sys/kernel/debug";

  @ParameterizedTest
  @ValueSource(strings = {"2.10", "2.12", "2.15", "2.16", "2.17"})
  void everyLineOfAClientMatchesItsFiles(String version) throws IOException {
    equals("lustre-" + version + ".txt", lines(CLIENTS.resolve(version), LustreDetail.SUMMARY));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.10", "2.15"})
  void everyTargetAndPeerIsExposedInFullDetail(String version) throws IOException {
    equals("lustre-" + version + "-full.txt", lines(CLIENTS.resolve(version), LustreDetail.FULL));
  }

  @Test
  void aClientOf210IsReadWithoutRights(@TempDir Path dir) throws IOException {
    copyWithoutDebugfs(CLIENTS.resolve("2.10"), dir);
    equals("lustre-2.10.txt", lines(dir, LustreDetail.SUMMARY));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.12", "2.15", "2.16", "2.17"})
  void withoutRightsWhatLiesOutsideOfDebugfsIsLeft(String version, @TempDir Path dir)
      throws IOException {
    copyWithoutDebugfs(CLIENTS.resolve(version), dir);
    equals("lustre-" + version + "-unprivileged.txt", lines(dir, LustreDetail.SUMMARY));
  }

  private static void equals(String golden, List<String> lines) throws IOException {
    Path file = GOLDEN.resolve(golden);
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(GOLDEN);
      Files.write(file, lines);
    }
    assertThat(file).as("run the tests with -Dgolden.update to write it").exists();
    assertThat(lines).containsExactlyElementsOf(Files.readAllLines(file));
  }

  private static void copyWithoutDebugfs(Path client, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(client)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Path below = client.relativize(file);
        if (!below.startsWith(DEBUGFS)) {
          Path copy = to.resolve(below.toString());
          Files.createDirectories(copy.getParent());
          Files.copy(file, copy);
        }
      }
    }
  }

  /** The lines of one round of all sources, then failures and the reasons of down sources. */
  private static List<String> lines(Path node, LustreDetail detail) {
    SysFs sys = new SysFs(node.resolve("sys"));
    ProcFs proc = new ProcFs(node.resolve("proc"));
    Found found = new Found(new LinkedHashMap<>());
    List<String> lines = new ArrayList<>();
    read(new LustreSource(new LustreRoots(sys, proc), found, detail), node, lines);
    for (int i = 0; i < found.sources().size(); i++) {
      read(List.copyOf(found.sources().values()).get(i), node, lines); // It may start another one.
    }
    read(new LnetSource(sys, proc, detail == LustreDetail.FULL), node, lines);
    return lines;
  }

  private static void read(Source source, Path node, List<String> lines) {
    Access access = source.begin(source.collectors());
    if (access instanceof Access.Down down) {
      lines.add(
          "# " + source.name() + " is down, " + down.reason() + ": " + plain(down.why(), node));
    } else if (access instanceof Access.Ready) {
      RecordedSink sink = new RecordedSink();
      for (Collector collector : source.collectors()) {
        collector.collect(sink);
      }
      lines.addAll(sink.lines());
      sink.failures().forEach(failure -> lines.add("# failed: " + plain(failure, node)));
    }
  }

  private static String plain(String text, Path node) {
    return text.replace(node.toString(), "");
  }

  /** The sources that the client finds. */
  private record Found(Map<String, Source> sources) implements SourceSet {

    @Override
    public void add(Source source) {
      sources.putIfAbsent(source.name(), source);
    }

    @Override
    public void remove(String name) {
      sources.remove(name);
    }
  }
}
