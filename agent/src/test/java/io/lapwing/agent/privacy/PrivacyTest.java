package io.lapwing.agent.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.agent.config.ConfigException;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.events.Event;
import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivacyTest {

  private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final Privacy HASHED = new Privacy(Settings.Privacy.HASHED, KEY);
  private static final Privacy HIDDEN = new Privacy(Settings.Privacy.HIDDEN, KEY);
  private static final Labels LABELS =
      Labels.of("gpu", "3", "job_id", "4711", "user", "alice", "pod", "llama-0", "namespace", "ml");

  @Test
  void namesAreHashedUnderTheKey() {
    Labels shown = HASHED.labels(LABELS);

    // printf 'job\0004711' | openssl dgst -sha256 -hmac 0123456789abcdef | cut -c 1-12
    assertThat(shown.values().get(1)).isEqualTo(JOB_4711);
    assertThat(shown.values()).noneMatch(List.of("4711", "alice", "llama-0", "ml")::contains);
    assertThat(shown.values().get(0)).isEqualTo("3");
    assertThat(HASHED.labels(LABELS)).isEqualTo(shown);
    assertThat(
            new Privacy(
                    Settings.Privacy.HASHED, "another key 0123".getBytes(StandardCharsets.UTF_8))
                .labels(LABELS)
                .values())
        .doesNotContainAnyElementsOf(shown.values().subList(1, 5));
  }

  private static final String JOB_4711 = "h1e274ae570fc";

  @Test
  void hiddenNamesAreEmptyUnlessTheyTellSeriesApart() {
    Labels shown = HIDDEN.labels(LABELS);

    assertThat(shown.values().subList(1, 5))
        .satisfiesExactly(
            job -> assertThat(job).matches("h[0-9a-f]{12}"),
            user -> assertThat(user).isEmpty(),
            pod -> assertThat(pod).matches("h[0-9a-f]{12}"),
            namespace -> assertThat(namespace).isEmpty());
  }

  @Test
  void openShowsTheSameObjects() {
    assertThat(Privacy.OPEN.labels(LABELS)).isSameAs(LABELS);
    Labels hardware = Labels.of("gpu", "3");
    assertThat(HASHED.labels(hardware)).isSameAs(hardware);
  }

  @Test
  void jobsHaveOneNameInLabelsSourcesAndParts() {
    String job = HASHED.labels(LABELS).values().get(1);

    assertThat(HASHED.jobs(Map.of("GPU-1", List.of("4711"))))
        .isEqualTo(Map.of("GPU-1", List.of(job)));
    assertThat(HASHED.part(new Part("training", "4711/3", LABELS)))
        .isEqualTo(new Part("training", job + "/3", HASHED.labels(LABELS)));
    Part device = new Part("efa", "rdmap79s0", Labels.NONE);
    assertThat(HASHED.part(device)).isSameAs(device);
    assertThat(HASHED.source("training-4711-3")).doesNotContain("4711");
    assertThat(HASHED.source("training")).isEqualTo("training");
    assertThat(HASHED.source("gpu3")).isEqualTo("gpu3");
  }

  @Test
  void theNamesOfProgramsLeaveEventsAndTheirTexts() {
    Event fault =
        new Event.HostFault(
            Instant.EPOCH,
            "oom_kill",
            "",
            OptionalLong.of(42),
            "secret-train",
            "other",
            "Killed process 42 (secret-train) total-vm:1kB",
            1,
            OptionalLong.empty());

    Event.HostFault shown = (Event.HostFault) HASHED.event(fault);

    assertThat(shown.process()).matches("h[0-9a-f]{12}");
    assertThat(shown.message())
        .isEqualTo("Killed process 42 (" + shown.process() + ") total-vm:1kB");
    assertThat(HASHED.event(shown)).as("restored from the log").isEqualTo(shown);
    assertThat(Privacy.OPEN.event(fault)).isSameAs(fault);
  }

  @Test
  void aFileSystemsErrorAndAnOomKillNameNobody() {
    assertThat(message("EXT4-fs error: inode #2: comm secret: reading directory lblock 0"))
        .startsWith("EXT4-fs error: inode #2: comm h")
        .endsWith(": reading directory lblock 0")
        .doesNotContain("secret");
    assertThat(message("Killed process 42 (a) total-vm:1kB, UID:1001 pgtables:4kB"))
        .isEqualTo("Killed process 42 (a) total-vm:1kB, pgtables:4kB");
  }

  private static String message(String text) {
    Event fault =
        new Event.HostFault(
            Instant.EPOCH,
            "disk_error",
            "",
            OptionalLong.empty(),
            "",
            "other",
            text,
            1,
            OptionalLong.empty());
    return ((Event.HostFault) HASHED.event(fault)).message();
  }

  /** Otherwise a user could claim the job that a pseudonym stands for. */
  @Test
  void aNameInTheFormOfAPseudonymIsHashedToo() {
    assertThat(HASHED.source("training-h31bb3a0df40a")).isNotEqualTo("training-h31bb3a0df40a");
  }

  @Test
  void anEmptyKeyOfAFullDiskIsMadeAgain(@TempDir Path dir) throws Exception {
    Path key = Files.createFile(dir.resolve("privacy.key"));
    assertThat(PrivacyKey.ofTheNode(key, true)).isEqualTo(PrivacyKey.ofTheNode(key, true));
    assertThat(dir).isDirectoryContaining(key::equals);
    assertThat(dir.toFile().list()).hasSize(1);
  }

  /** A source with a rank's series. */
  private static final class Rank implements Source {
    private List<Collector> asked = List.of();

    @Override
    public String name() {
      return "training-4711-3";
    }

    @Override
    public List<Collector> collectors() {
      return List.of(COLLECTOR);
    }

    @Override
    public Access begin(List<Collector> due) {
      asked = due;
      return Access.READY;
    }
  }

  private static final Collector COLLECTOR =
      Collector.of(
          "training",
          Cadence.FAST,
          sink -> {
            sink.add(TrainingMetrics.LOSS, LABELS, 1.5);
            sink.add(TrainingMetrics.STEPS, LABELS, 7);
          });

  @Test
  void aSourceExposesNoPrivateNameAndNoLoss() {
    List<Source> added = new ArrayList<>();
    List<String> removed = new ArrayList<>();
    SourceSet all =
        new SourceSet() {
          @Override
          public void add(Source source) {
            added.add(source);
          }

          @Override
          public void remove(String name) {
            removed.add(name);
          }
        };
    SourceSet shown = PrivateSources.of(all, HASHED);
    Rank rank = new Rank();
    shown.add(rank);
    shown.remove(rank.name());
    Source source = added.get(0);
    List<String> exposed = new ArrayList<>();
    List<Labels> labels = new ArrayList<>();
    SampleSink sink =
        new SampleSink() {
          @Override
          public void add(Metric metric, Labels of, double value) {
            exposed.add(metric.name() + of.values());
            labels.add(of);
          }

          @Override
          public void failed(String question, String reason) {}
        };

    source.begin(source.collectors());
    source.collectors().get(0).collect(sink);
    source.collectors().get(0).collect(sink);

    assertThat(exposed).hasSize(2).allMatch(one -> one.startsWith(TrainingMetrics.STEPS.name()));
    assertThat(exposed.toString()).doesNotContain("4711", "alice", "llama");
    assertThat(labels.get(0)).as("recognised by identity").isSameAs(labels.get(1));
    assertThat(rank.asked).containsExactly(COLLECTOR);
    assertThat(source.name()).doesNotContain("4711");
    assertThat(removed).containsExactly(source.name());
    assertThat(PrivateSources.of(all, Privacy.OPEN)).isSameAs(all);
  }

  @Test
  void aKeyFileIsLongEnough(@TempDir Path dir) throws Exception {
    Path key = Files.writeString(dir.resolve("key"), "too short");
    assertThatThrownBy(() -> PrivacyKey.read(key))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("web.privacy-key");
    Files.write(key, KEY);
    assertThat(PrivacyKey.read(key)).isEqualTo(KEY);
  }
}
