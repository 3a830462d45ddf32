package io.lapwing.packaging;

import static io.lapwing.packaging.Chart.elements;
import static io.lapwing.packaging.Chart.objects;
import static io.lapwing.packaging.Chart.ofKind;
import static io.lapwing.packaging.Chart.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The chart's drain controller. */
class HelmDrainTest {

  private static List<JsonNode> site() throws IOException {
    return objects(Optional.of(Chart.FOLDER.resolve("ci/drain-values.yaml")));
  }

  private static JsonNode the(String kind, List<JsonNode> objects) {
    List<JsonNode> found =
        ofKind(objects, kind)
            .filter(one -> one.at("/metadata/name").asText().contains("-drain"))
            .toList();
    assertThat(found).as(kind).hasSize(1);
    return found.get(0);
  }

  @Test
  void byDefaultThereIsNone() throws IOException {
    assertThat(objects(template()).toString()).doesNotContain("drain");
  }

  @Test
  void itMayDoWhatItsDriverDoesAndNothingElse() throws IOException {
    List<JsonNode> objects = site();
    List<String> verbs = new ArrayList<>();
    for (String kind : List.of("ClusterRole", "Role")) {
      for (JsonNode rule : elements(the(kind, objects).path("rules"))) {
        verbs.add(
            rule.at("/apiGroups/0").asText()
                + "/"
                + rule.at("/resources/0").asText()
                + " "
                + rule.path("verbs"));
        assertThat(rule.path("resources")).hasSize(1);
      }
    }
    assertThat(verbs)
        .containsExactly(
            "/nodes [\"get\",\"list\",\"update\"]",
            "/nodes/status [\"update\"]",
            "/pods [\"list\",\"watch\"]",
            "/pods/eviction [\"create\"]",
            "policy/poddisruptionbudgets [\"list\"]",
            "kueue.x-k8s.io/workloads [\"list\"]",
            "coordination.k8s.io/leases [\"get\",\"create\",\"patch\"]");
    String account = the("ServiceAccount", objects).at("/metadata/name").asText();
    for (String kind : List.of("ClusterRoleBinding", "RoleBinding")) {
      JsonNode binding = the(kind, objects);
      assertThat(binding.at("/subjects/0/name").asText()).isEqualTo(account);
      assertThat(binding.at("/subjects/0/namespace").asText()).isEqualTo("monitoring");
      assertThat(binding.at("/roleRef/name"))
          .isEqualTo(the(kind.replace("Binding", ""), objects).at("/metadata/name"));
    }
    assertThat(pod(objects).path("serviceAccountName").asText()).isEqualTo(account);
  }

  @Test
  void itHasNoPrivilege() throws IOException {
    JsonNode pod = pod(site());
    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    JsonNode security = pod.at("/containers/0/securityContext");
    assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(security.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
    assertThat(pod.toString()).doesNotContain("hostPath", "hostNetwork", "hostPID", "privileged");
    assertThat(pod.at("/containers/0/resources/limits/memory").asText()).isEqualTo("224Mi");
  }

  @Test
  void everyMountHasItsVolumeAndTheJournalOutlivesThePod() throws IOException {
    List<JsonNode> objects = site();
    JsonNode pod = pod(objects);
    assertThat(names(pod.path("volumes")))
        .containsExactlyInAnyOrderElementsOf(names(pod.at("/containers/0/volumeMounts")));
    assertThat(pod.at("/volumes/0/persistentVolumeClaim/claimName"))
        .isEqualTo(the("PersistentVolumeClaim", objects).at("/metadata/name"));
    assertThat(the("PersistentVolumeClaim", objects).at("/spec/storageClassName").asText())
        .isEqualTo("gp3");

    assertThat(
            the("PersistentVolumeClaim", objects)
                .at("/metadata/annotations/helm.sh~1resource-policy")
                .asText())
        .as("held nodes are not returned without the journal")
        .isEqualTo("keep");

    List<JsonNode> own =
        objects(
            template()
                .set("drain.enabled", "true")
                .set("drain.persistence.existingClaim", "journal"));
    assertThat(ofKind(own, "PersistentVolumeClaim")).isEmpty();
    assertThat(pod(own).at("/volumes/0/persistentVolumeClaim/claimName").asText())
        .isEqualTo("journal");
  }

  @Test
  void theWebConfigurationIsASecretAndTheRestAConfigMap() throws IOException {
    List<JsonNode> objects = site();
    JsonNode secret = the("Secret", objects);
    assertThat(secret.at("/stringData/web.yml").asText()).contains("alertmanager: $2y$10$");
    assertThat(pod(objects).toString())
        .contains("\"secretName\":\"" + secret.at("/metadata/name").asText() + "\"");
    JsonNode config =
        Chart.YAML.readTree(the("ConfigMap", objects).path("data").path("drain.yml").asText());
    assertThat(config.at("/mode/drain").asText()).isEqualTo("act");
    assertThat(config.at("/budget/nodes").asInt()).isEqualTo(3);

    List<JsonNode> site =
        objects(template().set("drain.enabled", "true").set("drain.web.secret", "site-web"));
    assertThat(ofKind(site, "Secret")).isEmpty();
    assertThat(pod(site).toString()).contains("\"secretName\":\"site-web\"");
  }

  @Test
  void whatScrapesTheAgentsScrapesTheControllerUnderItsOwnJob() throws IOException {
    for (String kind : List.of("PodMonitor", "ServiceMonitor")) {
      String values = kind.substring(0, 1).toLowerCase(Locale.ROOT) + kind.substring(1);
      List<JsonNode> objects =
          objects(
              template()
                  .set("drain.enabled", "true")
                  .set("drain.monitor.basicAuth.username.name", "login")
                  .set(values + ".enabled", "true")
                  .set(values + ".clusterLabel", "prod"));
      JsonNode spec = the(kind, objects).path("spec");
      JsonNode endpoint =
          spec.path(kind.equals("PodMonitor") ? "podMetricsEndpoints" : "endpoints").path(0);
      assertThat(the("Deployment", objects).at("/spec/selector/matchLabels"))
          .isEqualTo(spec.at("/selector/matchLabels"));
      assertThat(pod(objects).at("/containers/0/ports/0/name")).isEqualTo(endpoint.path("port"));
      assertThat(endpoint.at("/basicAuth/username/name").asText()).isEqualTo("login");
      assertThat(endpoint.path("relabelings").toString())
          .isEqualTo(
              "[{\"targetLabel\":\"job\",\"replacement\":\"lapwing-drain\"},"
                  + "{\"targetLabel\":\"cluster\",\"replacement\":\"prod\"}]");
    }
  }

  @Test
  void noSelectorTakesThePodsOfTheOther() throws IOException {
    List<JsonNode> objects = site();
    JsonNode labels = the("Deployment", objects).at("/spec/template/metadata/labels");
    JsonNode selector = the("Deployment", objects).at("/spec/selector/matchLabels");
    assertThat(the("Service", objects).at("/spec/selector")).isEqualTo(selector);
    selector
        .properties()
        .forEach(one -> assertThat(labels.get(one.getKey())).isEqualTo(one.getValue()));
    JsonNode agents =
        ofKind(objects, "DaemonSet").findFirst().orElseThrow().at("/spec/selector/matchLabels");
    assertThat(agents.path("app.kubernetes.io/name"))
        .isNotEqualTo(labels.path("app.kubernetes.io/name"));
  }

  @Test
  void theNotesNameItsModes() {
    assertThat(Chart.notes(Map.of())).doesNotContain("mode.");
    assertThat(Chart.notes(Map.of("drain.enabled", true, "drain.config.mode.end-job", "act")))
        .contains("\n  mode.drain: dry-run\n  mode.end-job: act\n  mode.reset: dry-run\n");
    assertThat(Chart.notes(Map.of("drain.enabled", true, "drain.config.mode\\.reboot", "act")))
        .contains("  mode.reboot: act\n  mode.replace: dry-run\n");
  }

  @Test
  void oneControllerDecides() throws IOException {
    JsonNode spec = the("Deployment", site()).path("spec");
    assertThat(spec.path("replicas").asInt()).isEqualTo(1);
    assertThat(spec.at("/strategy/type").asText()).isEqualTo("Recreate");
    assertThatThrownBy(() -> template().set("drain.replicas", "2").call())
        .hasMessageContaining("replicas");
  }

  @Test
  void twoWebConfigurationsAreRefused() {
    assertThatThrownBy(
            () ->
                template()
                    .set("drain.enabled", "true")
                    .set("drain.web.secret", "site-web")
                    .set("drain.web.config.rate_limit.interval", "1s")
                    .call())
        .hasMessageContaining("exclude each other");
  }

  private static JsonNode pod(List<JsonNode> objects) {
    return the("Deployment", objects).at("/spec/template/spec");
  }

  private static List<String> names(JsonNode array) {
    return elements(array).stream().map(one -> one.path("name").asText()).toList();
  }
}
