package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The footprint of a running agent with the shipped flags, on a node with all kinds of devices.
 * Counts instead of bytes, which are the same on every machine.
 */
class FootprintTest {

  /** Ours; Jetty's; the JVM's. The kernel keeps fifteen characters of a name. */
  private static final Pattern KNOWN =
      Pattern.compile(
          "source-.*|health|event-log|kernel-log.*|xid-watch|steps-watch|FileSystemWatch|http-.*|kubelet.*|lapwing-.*|shutdown"
              + "|java|VM Thread|VM Periodic Tas|C1 CompilerThre|Sweeper thread|Signal Dispatch"
              + "|Service Thread|Monitor Deflati|Reference Handl|Finalizer|Common-Cleaner"
              + "|Notification Th|Native Heap Tri|JNA Cleaner|process reaper|Attach Listener");

  private static final List<String> PAGES =
      List.of("/metrics", "/", "/ui", "/api/v1/node", "/api/v1/health", "/api/v1/events");

  private static AgentProcess agent;
  private static Path loaded;

  @BeforeAll
  static void start(@TempDir Path dir) throws Exception {
    loaded = dir.resolve("loaded");
    agent =
        AgentProcess.startShipped(
            dir, List.of("-Xlog:class+load:file=" + loaded), FaultyAgent.on(dir).arguments());
    FaultyAgent.awaitReady(agent);
    for (String page : PAGES) {
      assertThat(agent.get(page).statusCode()).as(page).isEqualTo(200);
    }
  }

  @AfterAll
  static void end() {
    agent.close();
  }

  @Test
  void everyThreadHasANameThatDescribesItsTask() throws IOException {
    assertThat(threads()).isNotEmpty().allMatch(name -> KNOWN.matcher(name).matches());
  }

  /** Eight GPUs and thirty-two network devices have 30 threads of ours and 18 of the JVM. */
  @Test
  void aNodeWithEverythingIsReadByAFewDozenThreads() throws IOException {
    assertThat(threads()).hasSizeLessThan(56);
  }

  @Test
  void whatOnlyTakesRoomIsNotLoaded() throws IOException {
    assertThat(Files.readAllLines(loaded))
        .noneMatch(line -> line.contains(" com.sun.jmx.mbeanserver.JmxMBeanServer "))
        .noneMatch(line -> line.contains(" com.fasterxml.jackson.databind."))
        .noneMatch(line -> line.contains(" org.eclipse.jetty.http2."))
        .noneMatch(line -> line.contains(" jdk.jfr."));
  }

  /** A new library that brings thousands is to be noticed when it comes, not on the node. */
  @Test
  void thereAreNotManyMoreClassesThanThereWere() throws IOException {
    try (Stream<String> lines = Files.lines(loaded)) {
      assertThat(lines.count()).isBetween(3_000L, 6_200L);
    }
  }

  private static List<String> threads() throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> tasks = Files.list(Path.of("/proc/" + agent.pid() + "/task"))) {
      for (Path task : tasks.toList()) {
        try {
          names.add(Files.readString(task.resolve("comm")).strip());
        } catch (NoSuchFileException gone) {
          // That thread ended meanwhile.
        }
      }
    }
    return names;
  }
}
