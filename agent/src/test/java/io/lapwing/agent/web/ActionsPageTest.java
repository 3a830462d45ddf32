package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import io.lapwing.node.Platform;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ActionsPageTest {

  private static final HealthReport KARPENTER =
      MadeReports.on("gpu-7", "i-0123456789abcdef0", Platform.KARPENTER);

  private record Asked(Map<String, List<String>> parameters) implements Query {
    @Override
    public String header(String name) {
      return "";
    }

    @Override
    public Set<String> names() {
      return parameters.keySet();
    }

    @Override
    public List<String> parameters(String name) {
      return parameters.getOrDefault(name, List.of());
    }
  }

  private static Answer answer(HealthReport report, Map<String, List<String>> parameters) {
    WebContent.Links links =
        new WebContent.Links("https://wiki/runbooks", "https://grafana/d/n?var-node={hostname}");
    return new ActionsPage(
            () -> new WebContent.AgentInfo("1.2.3", "gpu-7", false, links), () -> report)
        .answer(new Asked(parameters));
  }

  private static JsonNode json(Answer answer) throws Exception {
    return new ObjectMapper().readTree(answer.body());
  }

  @Test
  void itHasTheCommandsOfTheNodeAndTheLinksOfTheSite() throws Exception {
    JsonNode actions = json(answer(KARPENTER, Map.of()));

    assertThat(actions.path("platform").asText()).isEqualTo("karpenter");
    assertThat(actions.path("platform_source").asText()).isEqualTo("the test says so");
    assertThat(actions.path("platforms")).hasSize(Platform.values().length);
    assertThat(actions.at("/steps/0/step").asText()).isEqualTo("drain");
    assertThat(actions.at("/steps/0/needed").asBoolean()).isTrue();
    assertThat(actions.at("/steps/1/needed").asBoolean()).isFalse();
    assertThat(actions.at("/steps/0/commands/1/line").asText()).isEqualTo("kubectl cordon gpu-7");
    assertThat(actions.path("runbooks").asText()).isEqualTo("https://wiki/runbooks");
    assertThat(actions.path("dashboard").asText()).isEqualTo("https://grafana/d/n?var-node=gpu-7");
  }

  @Test
  void anotherPlatformCanBeAskedFor() throws Exception {
    JsonNode actions = json(answer(KARPENTER, Map.of("platform", List.of("pcs"))));

    assertThat(actions.path("platform").asText()).isEqualTo("pcs");
    assertThat(actions.path("platform_source").asText()).isEqualTo("as requested");
    assertThat(actions.path("steps").toString()).contains("scontrol").doesNotContain("kubectl");
  }

  @Test
  void anUnknownPlatformHasChoicesAndNoSteps() throws Exception {
    JsonNode actions = json(answer(MadeReports.failing(), Map.of()));

    assertThat(actions.path("platform").isNull()).isTrue();
    assertThat(actions.path("steps")).isEmpty();
    assertThat(actions.at("/platforms/0/platform").asText()).isEqualTo("slurm");
  }

  @Test
  void aWrongParameterIsNamed() {
    Answer platform = answer(KARPENTER, Map.of("platform", List.of("gke")));
    Answer other = answer(KARPENTER, Map.of("gpu", List.of("3")));

    assertThat(platform.status()).isEqualTo(400);
    assertThat(new String(platform.body(), StandardCharsets.UTF_8)).contains("slurm, parallelcl");
    assertThat(other.status()).isEqualTo(400);
    assertThat(new String(other.body(), StandardCharsets.UTF_8)).contains("'gpu'", "platform");
  }

  @Test
  void namesInALinkAreEncoded() {
    WebContent.Links links = new WebContent.Links("", "https://g/?a={hostname}&b={instance_id}");
    assertThat(links.runbookFolder()).isEqualTo("ui/runbooks");

    assertThat(
            links.dashboard(
                new HealthReport.NodeName("a b&c=\"<", "i-1", java.util.Optional.empty(), "", "")))
        .isEqualTo("https://g/?a=a%20b%26c%3D%22%3C&b=i-1");
  }
}
