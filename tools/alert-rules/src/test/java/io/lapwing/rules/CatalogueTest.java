package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.rules.promql.Promql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogueTest {

  private static final Catalogue CATALOGUE = Catalogue.of(Shipped.ROOT);

  private static Set<String> labels(String query) {
    return CATALOGUE.labels(Promql.parse(query));
  }

  @Test
  void familiesOfThePageAreKnownWithTypeAndLabels() {
    assertThat(CATALOGUE.family("lapwing_node_verdict"))
        .hasValue(
            new Family(
                "lapwing_node_verdict", false, Set.of("cluster", "instance", "job", "verdict")));
    assertThat(CATALOGUE.family("DCGM_FI_DEV_XID_ERRORS").orElseThrow().labels())
        .contains("gpu", "UUID", "Hostname", "hostname");
    assertThat(CATALOGUE.family("process_cpu_seconds_total").orElseThrow().counter()).isTrue();
  }

  @Test
  void aHistogramHasThreeNames() {
    Family buckets =
        CATALOGUE.family("lapwing_training_step_duration_seconds_bucket").orElseThrow();
    assertThat(buckets.labels()).contains("le");
    assertThat(
            CATALOGUE.family("lapwing_training_step_duration_seconds_count").orElseThrow().labels())
        .doesNotContain("le");
    assertThat(CATALOGUE.family("lapwing_training_step_duration_seconds")).isEmpty();
  }

  @Test
  void labelsAreFollowedThroughAQuery() {
    assertThat(labels("sum by (cluster, gpu) (lapwing_gpu_verdict)"))
        .containsExactlyInAnyOrder("cluster", "gpu");
    assertThat(labels("lapwing_node_verdict * on (instance) group_left (region) lapwing_node_info"))
        .containsExactlyInAnyOrder("cluster", "instance", "job", "verdict", "region");
    assertThat(labels("label_replace(vector(1), \"x\", \"y\", \"\", \"\")")).containsExactly("x");
    assertThat(labels("absent(up{job=\"a\"})")).containsExactly("job");
    assertThat(labels("sum(up) > 0")).isEmpty();
    assertThat(labels("sum by (cluster) (up) / on (cluster) count by (cluster) (up)"))
        .containsExactly("cluster");
    assertThat(labels("max without (job, gpu, UUID) (lapwing_gpu_verdict == 1)"))
        .containsExactlyInAnyOrder("cluster", "instance", "verdict");
  }

  @Test
  void whatRulesRecordIsKnownWithTheLabelsOfItsQuery(@TempDir Path folder) throws Exception {
    Files.writeString(
        folder.resolve("some.yml"),
        """
        groups:
          - name: some
            rules:
              - record: cluster:some:sum
                expr: sum by (cluster, region) (instance:some:sum)
              - record: instance:some:sum
                expr: sum by (cluster, instance, region) (lapwing_node_info)
                labels: {made: up}
        """);

    Catalogue more = CATALOGUE.with(RuleFiles.read(folder));

    assertThat(more.family("cluster:some:sum").orElseThrow().labels())
        .containsExactlyInAnyOrder("cluster", "region");
    assertThat(more.family("instance:some:sum").orElseThrow().labels())
        .containsExactlyInAnyOrder("cluster", "instance", "region", "made");
  }
}
