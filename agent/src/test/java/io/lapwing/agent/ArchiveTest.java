package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The class archive that ships is one that the JVM uses. A stale one is ignored silently, so only
 * the JVM's log proves it.
 *
 * <p>{@code ./lapwing build} makes the archive from the packaged jar, after these tests ran, so by
 * itself this test skips unless an archive lies there that is newer than every jar. After a build,
 * {@code -Dlapwing.dist=.../agent/target/dist -Dgroups=archive} makes a missing or stale archive a
 * failure.
 */
@Tag("archive")
class ArchiveTest {

  private static final String PROPERTY = "lapwing.dist";

  private static Path dist() {
    return Path.of(System.getProperty(PROPERTY, "target/dist")).toAbsolutePath().normalize();
  }

  private static boolean newerThanItsJars(Path archive) throws IOException {
    if (!Files.exists(archive)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(dist())) {
      List<Path> jars = files.filter(file -> file.toString().endsWith(".jar")).toList();
      for (Path jar : jars) {
        if (Files.getLastModifiedTime(jar).compareTo(Files.getLastModifiedTime(archive)) > 0) {
          return false;
        }
      }
      return true;
    }
  }

  /** The key that the launcher notes beside the archive has the JVM's release file in it. */
  private static boolean madeByThisJvm(Path archive) throws IOException {
    Path key = Path.of(archive + ".key");
    Path release = Path.of(System.getProperty("java.home"), "release");
    return Files.exists(key)
        && Files.exists(release)
        && Files.readString(key).contains(Files.readString(release).strip());
  }

  private static List<String> shippedCommand(Path archive, String... words) {
    boolean arm = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT).contains("aarch64");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + dist().resolve("jvm.options"),
                "-Djna.boot.library.path="
                    + dist().resolve("native/com/sun/jna/linux-" + (arm ? "aarch64" : "x86-64")),
                "-XX:SharedArchiveFile=" + archive,
                "-Xshare:on",
                "-Xlog:class+load",
                "-jar",
                dist().resolve("lapwing-agent.jar").toString()));
    command.addAll(List.of(words));
    return command;
  }

  @Test
  void theClassesOfTheAgentComeOutOfTheArchive(@TempDir Path dir) throws Exception {
    Path archive = dist().resolve("lapwing.jsa");
    if (System.getProperty(PROPERTY) == null) {
      assumeTrue(
          newerThanItsJars(archive) && madeByThisJvm(archive),
          "no archive of these jars and this JVM; ./lapwing build makes one");
    }
    assertThat(archive).exists();

    try (AgentProcess agent =
        AgentProcess.run(
            dir, shippedCommand(archive, "agent", "--once", "--nvml.library=libnone-such.so.1"))) {
      assertThat(agent.exitCode()).as(agent.err()).isZero();
      List<String> loaded =
          agent.out().lines().filter(line -> line.contains(" io.lapwing.")).toList();

      assertThat(loaded).hasSizeGreaterThan(50);
      assertThat(loaded)
          .filteredOn(line -> line.contains("io.lapwing.agent.Main "))
          .singleElement()
          .asString()
          .contains("source: shared objects file");
      // A lambda or two of a path that the training did not take may be new; the classes are not.
      assertThat(loaded)
          .filteredOn(line -> !line.contains("$$"))
          .filteredOn(line -> !line.contains("shared objects file"))
          .hasSizeLessThan(Math.max(1, loaded.size() / 10));
    }
  }
}
