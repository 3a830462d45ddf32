package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lapwing.common.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayCommandTest {

  private static final String LOG = "gpu-17=src/test/resources/replay/xid-79.jsonl";

  @TempDir private Path folder;

  private static String run(String... args) throws Exception {
    return ReplayCommand.run(List.of(args), Map.of());
  }

  private static void refused(String why, String... args) {
    assertThatThrownBy(() -> run(args)).isInstanceOf(ConfigException.class).hasMessage(why);
  }

  private Path policy(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void twoPoliciesAreShownSideBySide() throws Exception {
    Path quick =
        policy(
            "quick.yml", "policy.healthy-for: 30s\nrepairs.replace: ec2\naws.region: us-east-1\n");
    Path observing = policy("observing.yml", "mode.drain: observe\n");

    String text =
        run(
            "--events",
            LOG,
            "--replace-takes",
            "1m",
            "--policy",
            quick.toString(),
            "--policy",
            observing.toString());

    assertThat(text).contains("quick.yml").contains("observing.yml").contains("Assumptions:");
    List<String> rows =
        new ArrayList<>(text.lines().map(row -> row.replaceAll(" +", " ")).toList());
    assertThat(rows)
        .contains("drains 1 0", "nodes returned 1 0", "replace_node, helped 1 0")
        .contains(" not drained by the end of the record 0 1");
  }

  @Test
  void jsonHasTheSameNumbers() throws Exception {
    JsonNode root =
        new ObjectMapper()
            .readTree(run("--events", LOG, "--json", "--policy.healthy-for=30s", "--nodes", "500"));

    JsonNode policy = root.path("policies").path(0);
    assertThat(root.path("record").path("nodes").asInt()).isEqualTo(500);
    assertThat(root.path("assumptions")).isNotEmpty();
    assertThat(policy.path("drains").asInt()).isEqualTo(1);
    assertThat(policy.path("drains_per_1000_node_days").asDouble())
        .isEqualTo(1000 / root.path("record").path("node_days").asDouble());
    // No driver replaces.
    assertThat(policy.path("repairs").path("replace_node").path("refused").asInt()).isEqualTo(1);
    assertThat(policy.path("nodes_handed_to_people").asInt()).isEqualTo(1);
  }

  @Test
  void badInputIsNamedBeforeAnythingIsPlayed() throws Exception {
    refused("replay: needs --events or --alerts");
    refused("flag --nodes: not a number from 1 to 65536", "--events", LOG, "--nodes", "0");
    refused("flag --gpus: given more than once", "--events", LOG, "--gpus=1", "--gpus=2");
    refused(
        "flag --reset-takes: is not a duration such as 500ms, 5s or 1m",
        "--events",
        LOG,
        "--reset-takes",
        "soon");
    refused("no.jsonl: there is no such file", "--events", "gpu-1=no.jsonl");
    Path bad = policy("bad.yml", "mode.drain: dance\n");
    assertThatThrownBy(() -> run("--events", LOG, "--policy", bad.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("bad.yml")
        .hasMessageContaining("mode.drain");
  }

  @Test
  void helpListsTheFlags() throws Exception {
    assertThat(run("--help")).contains("--events NODE=PATH").contains("--policy FILE");
  }
}
