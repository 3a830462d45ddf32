package io.lapwing.drain.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.agents.AgentPages;
import io.lapwing.drain.intake.agents.Authorization;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.EvidenceStore.NotSaved;
import io.lapwing.drain.remediation.EvidenceStore.Saved;
import io.lapwing.drain.remediation.Remediation;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvidenceFilesTest {

  private static final Instant NOW = Instant.parse("2026-11-25T19:00:00Z");

  @TempDir private Path dir;
  private final List<String> asked = new ArrayList<>();
  private String fails = "";
  private Room room = new Room(10, 1 << 20);

  private byte[] page(String uri) throws IOException {
    asked.add(uri);
    if (!fails.isEmpty() && uri.contains(fails)) {
      throw new IOException("connection refused");
    }
    return ("answer of " + uri).getBytes(UTF_8);
  }

  private static Remediation remediation(String id) {
    return Remediation.of(
        id,
        new Request(
            "key",
            new NodeName("p5-1"),
            Remedy.REBOOT_NODE,
            Urgency.NOW,
            "xid_79",
            "xid",
            "test",
            NOW,
            false),
        NOW);
  }

  private EvidenceFiles files() {
    return new EvidenceFiles(
        dir.resolve("evidence"),
        room,
        new AgentPages(
            "http://{node}:9754", (uri, login) -> page(uri.toString()), Authorization.NONE),
        () ->
            List.of(
                new Entry(NOW, "reboot: xid\n79", remediation("1-1"), Optional.empty()),
                new Entry(NOW, "of another node", remediation("1-2"), Optional.empty())));
  }

  private static Map<String, String> content(Path file) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (InputStream in = Files.newInputStream(file);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        content.put(entry.getName(), new String(zip.readAllBytes(), UTF_8));
      }
    }
    return content;
  }

  private List<String> kept() throws IOException {
    try (Stream<Path> list = Files.list(dir.resolve("evidence"))) {
      return list.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aFileHasWhatTheAgentServesAndWhatWasDecided() throws IOException {
    Path file = dir.resolve("evidence/1-1-0.zip");

    assertThat(files().save(remediation("1-1"))).isEqualTo(new Saved(file.toString()));

    assertThat(content(file))
        .containsEntry("health.json", "answer of http://p5-1:9754/api/v1/health")
        .containsEntry("events.json", "answer of http://p5-1:9754/api/v1/events")
        .containsEntry("metrics.txt", "answer of http://p5-1:9754/metrics?preset=full")
        .containsEntry("journal.txt", "2026-11-25T19:00:00Z p5-1 requested: reboot: xid 79\n")
        .hasSize(4);
  }

  @Test
  void onlyTheControllerReadsIt() throws IOException {
    assertThat(files().save(remediation("1-1"))).isInstanceOf(Saved.class);

    assertThat(mode("evidence")).isEqualTo("rwx------");
    assertThat(mode("evidence/1-1-0.zip")).isEqualTo("rw-------");
    assertThat(kept()).containsExactly("1-1-0.zip");
  }

  private String mode(String file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve(file)));
  }

  @Test
  void anAgentThatDoesNotAnswerIsAskedOnceAndTheDecisionsAreKept() throws IOException {
    fails = "health";

    assertThat(files().save(remediation("1-1")))
        .isEqualTo(
            new NotSaved(
                "not in full, in "
                    + dir.resolve("evidence/1-1-0.zip")
                    + ": http://p5-1:9754/api/v1/health: connection refused"));

    assertThat(asked).hasSize(1);
    assertThat(content(dir.resolve("evidence/1-1-0.zip"))).containsOnlyKeys("journal.txt");
  }

  /** The same repair is tried again after a refusal, and does its damage only then. */
  @Test
  void aLaterTryTakesNothingAway() throws IOException {
    Path file = dir.resolve("evidence/1-1-0.zip");
    fails = "events";
    assertThat(files().save(remediation("1-1"))).isInstanceOf(NotSaved.class);
    fails = "health";
    assertThat(files().save(remediation("1-1")))
        .isEqualTo(
            new NotSaved(
                "that of an earlier try stays, in "
                    + file
                    + ": http://p5-1:9754/api/v1/health: connection refused"));
    assertThat(content(file)).containsOnlyKeys("health.json", "journal.txt");
    assertThat(kept()).containsExactly("1-1-0.zip");

    fails = "metrics";
    assertThat(files().save(remediation("1-1"))).isInstanceOf(NotSaved.class);
    assertThat(content(file)).containsOnlyKeys("events.json", "health.json", "journal.txt");
    fails = "";
    assertThat(files().save(remediation("1-1"))).isInstanceOf(Saved.class);
    assertThat(content(file)).hasSize(4);
  }

  @Test
  void anIdThatIsAPathMakesNoFile() {
    assertThat(files().save(remediation("../x"))).isInstanceOf(NotSaved.class);
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void theOldestFilesAreRemoved() throws IOException {
    room = new Room(2, 1 << 20);
    for (String id : List.of("1-1", "1-2", "1-3")) {
      assertThat(files().save(remediation(id))).isInstanceOf(Saved.class);
      Files.setLastModifiedTime(
          dir.resolve("evidence/" + id + "-0.zip"), FileTime.from(NOW.plusSeconds(id.charAt(2))));
    }
    assertThat(kept()).containsExactly("1-2-0.zip", "1-3-0.zip");

    room = new Room(10, 1);
    assertThat(files().save(remediation("1-4"))).isInstanceOf(Saved.class);
    assertThat(kept()).containsExactly("1-4-0.zip");
  }

  @Test
  void whatAProcessLeftThatWasKilledIsRemoved() throws IOException {
    Files.createDirectories(dir.resolve("evidence"));
    Files.writeString(dir.resolve("evidence/1-1-0.zip.new"), "a part");
    Files.writeString(dir.resolve("evidence/0-7-2.zip.new"), "a part");

    assertThat(files().save(remediation("1-1"))).isInstanceOf(Saved.class);

    assertThat(kept()).containsExactly("1-1-0.zip");
  }

  @Test
  void aFolderThatCannotBeWrittenIsSaid() throws IOException {
    Files.writeString(dir.resolve("evidence"), "a file");

    assertThat(files().save(remediation("1-1"))).isInstanceOf(NotSaved.class);
  }
}
