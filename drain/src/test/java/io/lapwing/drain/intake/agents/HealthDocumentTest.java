package io.lapwing.drain.intake.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.drain.health.GpuRelease;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.drain.intake.agents.HealthDocument.Cause;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HealthDocumentTest {

  static String recorded() {
    try (InputStream in = HealthDocumentTest.class.getResourceAsStream("/health/xid-79.json")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static HealthDocument read(String json) throws Unusable {
    return HealthDocument.read(json.getBytes(UTF_8));
  }

  private static HealthDocument with(String from, String to) throws Unusable {
    assertThat(recorded()).contains(from);
    return read(recorded().replace(from, to));
  }

  @Test
  void theVerdictOfAnAgentIsRead() throws Unusable {
    HealthDocument document = read(recorded());

    assertThat(document.health())
        .isEqualTo(
            new NodeHealth(
                Verdict.FAILING,
                Remedy.REPLACE_NODE,
                Instant.parse("2026-11-23T19:25:19.322556966Z"),
                true,
                "6e0e8f0c-5c4b-4f0e-9f0e-0d4f5a1b2c3d",
                "i-0123456789abcdef0",
                "GPU 5: XID 79, GPU has fallen off the bus (and 1 more)",
                OptionalInt.of(7),
                Set.of("xid_79", "gpu_lost"),
                Urgency.NOW,
                document.health().serials()));
    assertThat(document.health().serials())
        .hasSize(9)
        .contains("1650022000005", "GPU-da8deb50-51a7-4ed0-8000-5eed00000005");
    assertThat(document.hostname()).isEqualTo("localhost");
    assertThat(document.finding())
        .contains(
            new Cause(
                "xid_79",
                Remedy.REPLACE_NODE,
                Urgency.NOW,
                Instant.parse("2026-11-23T19:24:41.144188002Z")));
  }

  @Test
  void aFindingThatNvmlDidNotConfirmPermitsNothing() throws Unusable {
    NodeHealth health =
        with("\"confirmed\":true,\"what\":\"XID", "\"confirmed\":false,\"what\":\"XID").health();

    assertThat(health.verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(health.action()).isEqualTo(Remedy.REBOOT_NODE);
    assertThat(health.what()).startsWith("NVML has not confirmed xid_79: ");
  }

  @Test
  void aLineOfTheKernelLogWaitsForItsConfirmation() throws Unusable {
    String line = "[\"kernel log\"]";
    NodeHealth young = with("[\"kernel log\",\"NVML event\"]", line).health();
    assertThat(young.verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(young.what())
        .startsWith(
            "xid_79 is from the kernel log alone; NVML has until 2026-11-23T19:25:51Z to confirm"
                + " it: ");

    String old = recorded().replace("[\"kernel log\",\"NVML event\"]", line);
    assertThat(read(old.replace("19:24:41.144188002Z", "19:24:01.144188002Z")).health().verdict())
        .isEqualTo(Verdict.FAILING);
    assertThat(read(old.replace("19:24:41.144188002Z", "23:24:41.144188002Z")).health().verdict())
        .as("the clock was set back")
        .isEqualTo(Verdict.FAILING);
  }

  @Test
  void aNodeInMaintenanceIsLeftAlone() throws Unusable {
    String maintenance =
        "\"maintenance\":{\"since\":\"2026-11-23T19:00:00Z\","
            + "\"until\":\"2026-11-23T21:00:00Z\",\"note\":\"PSU\"}";

    NodeHealth health = with("\"maintenance\":null", maintenance).health();
    assertThat(health.verdict()).isEqualTo(Verdict.MAINTENANCE);
    assertThat(health.what()).startsWith("the node is in maintenance (lapwing maintenance): ");
  }

  @Test
  void theGpusAreReleasedOnlyWhenTheAgentSaysThatAllAreClosed() throws Unusable {
    String from = "\"gpus_released\":null,";
    String release =
        "\"gpus_released\":{\"since\":\"2026-11-23T19:00:00Z\","
            + "\"until\":\"2026-11-23T19:10:00Z\"%s},";

    assertThat(read(recorded()).gpus()).isEqualTo(GpuRelease.State.OPEN);
    assertThat(with(from, release.formatted(",\"closed\":false")).gpus())
        .isEqualTo(GpuRelease.State.CLOSING);
    assertThat(with(from, release.formatted(",\"closed\":true")).gpus())
        .isEqualTo(GpuRelease.State.RELEASED);
    assertThat(with(from, release.formatted("")).gpus()).isEqualTo(GpuRelease.State.UNKNOWN);
    assertThat(with(from, "").gpus()).isEqualTo(GpuRelease.State.UNKNOWN);
  }

  @Test
  void anAgentWithoutABootIdIsRead() throws Unusable {
    String boot = ",\"boot_id\":\"6e0e8f0c-5c4b-4f0e-9f0e-0d4f5a1b2c3d\"";

    assertThat(with(boot, "").health().bootId()).isEmpty();
  }

  @Test
  void aHealthyNodeHasNoFinding() throws Unusable {
    HealthDocument document =
        read(
            """
            {"verdict": "healthy", "action": "none", "urgency": null, "at": "2026-11-23T19:25:19Z",
             "summary": "8 GPUs", "simulated": false, "findings": [], "later": {"x": [1]}}
            """);

    assertThat(document.health().verdict()).isEqualTo(Verdict.HEALTHY);
    assertThat(document.finding()).isEqualTo(Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({
    "'\"verdict\":\"failing\",\"action\":\"replace_node\",\"urgency\"', '\"action\":\"replace_node\",\"urgency\"', verdict",
    "'\"simulated\":true', '\"simulated\":\"no\"', simulated",
    "'\"at\":\"2026', '\"at\":\"x2026', at",
    "'\"severity\":\"failing\"', '\"severity\":7', severity",
    "'\"action\":\"reboot_node\"', '\"action\":\"explode\"', action",
  })
  void anUnusableDocumentNamesTheField(String from, String to, String field) {
    assertThatThrownBy(() -> with(from, to))
        .isInstanceOf(Unusable.class)
        .hasMessageStartingWith("health." + field + ": ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "[]", "<html>", "{\"verdict\":\"healthy\"}", "null"})
  void whatIsNoDocumentIsRefused(String json) {
    assertThatThrownBy(() -> read(json)).isInstanceOf(Unusable.class);
  }
}
