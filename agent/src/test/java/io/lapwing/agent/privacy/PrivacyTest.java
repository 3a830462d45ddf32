package io.lapwing.agent.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.events.Event;
import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.common.config.ConfigException;
import io.lapwing.jobs.JobMetrics;
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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivacyTest {

  private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final Privacy HASHED = new Privacy(Settings.Privacy.HASHED, KEY);
  private static final Privacy HIDDEN = new Privacy(Settings.Privacy.HIDDEN, KEY);
  private static final Optional<Source.NameOwner> NO_OWNER = Optional.empty();
  private static final Labels LABELS =
      Labels.of("gpu", "3", "job_id", "4711", "user", "alice", "pod", "llama-0", "namespace", "ml");

  @Test
  void namesAreHashedUnderTheKey() {
    Labels shown = HASHED.labels(LABELS, NO_OWNER);

    // printf 'job\0004711' | openssl dgst -sha256 -hmac 0123456789abcdef | cut -c 1-12
    assertThat(shown.values().get(1)).isEqualTo(JOB_4711);
    assertThat(shown.values()).noneMatch(List.of("4711", "alice", "llama-0", "ml")::contains);
    assertThat(shown.values().get(0)).isEqualTo("3");
    assertThat(HASHED.labels(LABELS, NO_OWNER)).isEqualTo(shown);
    assertThat(
            new Privacy(
                    Settings.Privacy.HASHED, "another key 0123".getBytes(StandardCharsets.UTF_8))
                .labels(LABELS, NO_OWNER)
                .values())
        .doesNotContainAnyElementsOf(shown.values().subList(1, 5));
  }

  private static final String JOB_4711 = "h1e274ae570fc";

  @Test
  void hiddenNamesAreEmptyUnlessTheyTellSeriesApart() {
    Labels shown = HIDDEN.labels(LABELS, NO_OWNER);

    assertThat(shown.values().subList(1, 5))
        .satisfiesExactly(
            job -> assertThat(job).matches("h[0-9a-f]{12}"),
            user -> assertThat(user).isEmpty(),
            pod -> assertThat(pod).matches("h[0-9a-f]{12}"),
            namespace -> assertThat(namespace).isEmpty());
  }

  @Test
  void theUidOfAPodIsPrivateAsItsNameIs() {
    Labels rank = Labels.of("job_id", "4711", "pod_uid", "7e4d0000-0000-0000-0000-000000000001");

    assertThat(HASHED.labels(rank, NO_OWNER).values().get(1)).matches("h[0-9a-f]{12}");
    assertThat(HIDDEN.labels(rank, NO_OWNER).values().get(1)).isEmpty();
  }

  @Test
  void theNameOfAJobBesideItsIdIsLeftOut() {
    Labels named = Labels.of("job_id", "4711", "job_name", "secret");

    assertThat(HASHED.labels(named, NO_OWNER).values().get(1)).isEmpty();
    assertThat(HIDDEN.labels(named, NO_OWNER).values().get(1)).isEmpty();
  }

  @Test
  void openShowsTheSameObjects() {
    assertThat(Privacy.OPEN.labels(LABELS, NO_OWNER)).isSameAs(LABELS);
    Labels hardware = Labels.of("gpu", "3");
    assertThat(HASHED.labels(hardware, NO_OWNER)).isSameAs(hardware);
  }

  @Test
  void jobsHaveOneNameInLabelsSourcesAndParts() {
    String job = HASHED.labels(LABELS, NO_OWNER).values().get(1);

    assertThat(HASHED.holders(Map.of("GPU-1", List.of(Labels.of("hpc_job", "4711")))))
        .isEqualTo(Map.of("GPU-1", List.of(Labels.of("hpc_job", job))));
    assertThat(HASHED.part(new Part("training", "4711/3", LABELS), NO_OWNER))
        .isEqualTo(new Part("training", job + "/3", HASHED.labels(LABELS, NO_OWNER)));
    Part device = new Part("efa", "rdmap79s0", Labels.NONE);
    assertThat(HASHED.part(device, NO_OWNER)).isSameAs(device);
    assertThat(HASHED.source("training-4711-3", NO_OWNER)).doesNotContain("4711");
    assertThat(HASHED.source("training", NO_OWNER)).isEqualTo("training");
    assertThat(HASHED.source("gpu3", NO_OWNER)).isEqualTo("gpu3");
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
    assertThat(message("EXT4-fs error: inode #2: comm ray::LlamaPretr: deleted inode: 12"))
        .matches("EXT4-fs error: inode #2: comm h[0-9a-f]{12}: deleted inode: 12");
    assertThat(message("Out of memory: Killed process 42 (secret"))
        .matches("Out of memory: Killed process 42 \\(h[0-9a-f]{12}");
    assertThat(message("EXT4-fs error: inode #2: comm secret: reading directory lblock 0"))
        .startsWith("EXT4-fs error: inode #2: comm h")
        .endsWith(": reading directory lblock 0")
        .doesNotContain("secret");
    assertThat(message("Killed process 42 (a)b) total-vm:1kB, UID:1001 pgtables:4kB"))
        .matches("Killed process 42 \\(h[0-9a-f]{12}\\) total-vm:1kB, pgtables:4kB");
    assertThat(message("INFO: task a:b:77 blocked for more than 122 seconds."))
        .matches("INFO: task h[0-9a-f]{12}:77 blocked for more than 122 seconds\\.");
    assertThat(message("watchdog: BUG: soft lockup - CPU#18 stuck for 27s! [secret:22549]"))
        .matches("watchdog: BUG: soft lockup - CPU#18 stuck for 27s! \\[h[0-9a-f]{12}:22549\\]");
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

  private static Optional<Source.NameOwner> user(long uid, boolean jobConfirmed) {
    return Optional.of(new Source.NameOwner(uid, jobConfirmed));
  }

  @Test
  void aNameThatOnlyItsUserVouchesForHasAnotherPseudonymForEachUser() {
    Labels rank = Labels.of("job_id", "4711", "run", "secret", "rank", "3");
    Labels victim = HASHED.labels(rank, user(1000, false));
    Labels attacker = HASHED.labels(rank, user(1001, false));
    Labels confirmed = HASHED.labels(rank, user(1000, true));

    assertThat(attacker.values().subList(0, 2))
        .doesNotContainAnyElementsOf(victim.values().subList(0, 2));
    assertThat(HASHED.labels(rank, user(1000, false))).as("of one user").isEqualTo(victim);
    assertThat(confirmed.values().get(0)).as("as from other sources").isEqualTo(JOB_4711);
    assertThat(confirmed.values().get(1)).isEqualTo(victim.values().get(1));
    assertThat(attacker.values()).doesNotContain(JOB_4711);
    Part part = new Part("training", "4711/3/secret", rank);
    assertThat(HASHED.part(part, user(1000, true)).name()).startsWith(JOB_4711 + "/3/h");
    assertThat(HASHED.part(part, user(1001, false)).name())
        .doesNotContain("4711", "secret", JOB_4711);
    assertThat(HASHED.source("training-4711-3", user(1001, false)))
        .isNotEqualTo(HASHED.source("training-4711-3", user(1000, true)));
  }

  @Test
  void aPartAndItsLabelsHaveOnePseudonym() {
    for (Privacy privacy : List.of(HASHED, HIDDEN)) {
      Labels labels = Labels.of("job_id", "llama-7b x", "run", "a b");
      Part shown = privacy.part(new Part("training", "llama-7b x/3/a b", labels), user(1000, true));
      List<String> values = shown.labels().values();
      assertThat(shown.name()).isEqualTo(values.get(0) + "/3/" + values.get(1));
    }
    Labels gone = Labels.of("job_id", "m-1", "owner", "1000", "job_confirmed", "0");
    assertThat(HASHED.labels(gone, NO_OWNER).values().get(0))
        .isEqualTo(HASHED.labels(Labels.of("job_id", "m-1"), user(1000, false)).values().get(0));
    Part unknown = new Part("training", "-/3", Labels.of("job_id", ""));
    assertThat(HASHED.part(unknown, NO_OWNER)).isEqualTo(unknown);
  }

  /** Two users without jobs would be one series, with the value of either. */
  @Test
  void whatEachUserOfAGpuHasIsLeftOutWhereUsersAreHidden() {
    assertThat(HIDDEN.omits(JobMetrics.HOLDER_MEMORY)).isTrue();
    assertThat(HASHED.omits(JobMetrics.HOLDER_MEMORY)).isFalse();
    assertThat(HIDDEN.omits(JobMetrics.SHARED)).isFalse();
  }

  @Test
  void theNamesOfModelsAndCommunicatorsAreReplaced() {
    Labels labels = Labels.of("engine", "vllm", "model", "secret", "comm_name", "secret-2");
    for (Privacy privacy : List.of(HASHED, HIDDEN)) {
      assertThat(privacy.labels(labels, NO_OWNER).values().toString())
          .matches("\\[vllm, h[0-9a-f]{12}, h[0-9a-f]{12}\\]");
    }
  }

  private static Event.Xid xid(String process, String message) {
    return new Event.Xid(
        Instant.EPOCH,
        "GPU-1",
        "0000:53:00",
        OptionalInt.empty(),
        OptionalInt.empty(),
        31,
        OptionalLong.of(7),
        process,
        message,
        OptionalInt.empty(),
        Set.of(Event.Origin.KERNEL),
        1,
        OptionalLong.empty());
  }

  @Test
  void theRestOfAProgramsNameBehindACommaIsReplacedToo() {
    Event.Xid shown = (Event.Xid) HASHED.event(xid("my", "secret, intr 00000000"));
    assertThat(shown.message()).matches("h[0-9a-f]{12}, intr 00000000");
    assertThat(HASHED.event(shown)).as("restored from the log").isEqualTo(shown);
    Event.Xid known = (Event.Xid) HASHED.event(xid("a", "Ch 0007, intr 00000000"));
    assertThat(known.message()).isEqualTo("Ch 0007, intr 00000000");
    Event.Xid full = (Event.Xid) HASHED.event(xid("fifteen-letters", "odd, intr 00000000"));
    assertThat(full.message()).isEqualTo("odd, intr 00000000");
  }

  private static Event.FindingOpened opened(String rule, String subject, String what) {
    return new Event.FindingOpened(
        Instant.EPOCH, Instant.EPOCH, rule, subject, "info", "none", what);
  }

  @Test
  void findingsThatWereStoredWithNamesLoseThem() {
    Event.FindingOpened stall =
        (Event.FindingOpened)
            HASHED.event(opened("training_stall", "training:4711/3/run-x", "rank 3 of job 4711"));
    assertThat(stall.subject()).matches("training:" + JOB_4711 + "/3/h[0-9a-f]{12}");
    assertThat(stall.what()).isEqualTo(PrivateEvents.LEFT_OUT);
    assertThat(HASHED.event(stall)).isEqualTo(stall);
    Event.FindingOpened crash =
        (Event.FindingOpened)
            HASHED.event(opened("xid_31", "gpu:GPU-1", "XID 31, fault (process my, app, pid 7)"));
    assertThat(crash.what()).matches("XID 31, fault \\(process h[0-9a-f]{12}, pid 7\\)");
    Event.FindingOpened kill =
        (Event.FindingOpened)
            HASHED.event(
                opened(
                    "oom_kill",
                    "node",
                    "2 kills for memory, last train (pid 7) (rank 3 of job 4711, run x), by the limit of its cgroup"));
    assertThat(kill.what())
        .matches("2 kills for memory, last h[0-9a-f]{12} \\(pid 7\\), by the limit of its cgroup");
    assertThat(
            HASHED.event(
                new Event.FindingClosed(Instant.EPOCH, "training_stall", "training:4711", "gone")))
        .isEqualTo(
            new Event.FindingClosed(
                Instant.EPOCH, "training_stall", "training:" + JOB_4711, "gone"));
    Event hardware = opened("xid_79", "gpu:GPU-1", "XID 79, the GPU fell off the bus");
    assertThat(HASHED.event(hardware)).isEqualTo(hardware);
  }

  /** Otherwise a user could claim the job that a pseudonym stands for. */
  @Test
  void aNameInTheFormOfAPseudonymIsHashedToo() {
    assertThat(HASHED.source("training-h31bb3a0df40a", NO_OWNER))
        .isNotEqualTo("training-h31bb3a0df40a");
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
            sink.add(TrainingMetrics.FRAME, LABELS, 1);
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
