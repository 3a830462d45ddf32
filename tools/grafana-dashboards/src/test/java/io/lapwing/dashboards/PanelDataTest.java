package io.lapwing.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries of panels over written series, in promtool: what no simulated fleet has. */
class PanelDataTest {

  private static final String P5 =
      "lapwing_node_info{cluster=\"c\", instance=\"p5\", instance_type=\"p5.48xlarge\"}";
  private static final String P4 =
      "lapwing_node_info{cluster=\"c\", instance=\"p4\", instance_type=\"p4d.24xlarge\"}";
  private static final Chosen P5_ONLY = Chosen.ALL.with("$instance_type", "p5.48xlarge");

  @TempDir private Path dir;

  private static Panel panel(String uid, String title) {
    return PanelQuery.all().stream()
        .filter(query -> query.dashboard().uid().equals(uid))
        .map(PanelQuery::panel)
        .filter(panel -> panel.title().equals(title))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Object> series(String name, String values) {
    return Map.of("series", name, "values", values);
  }

  private static Map<String, Object> sample(String labels, double value) {
    return Map.of("labels", labels, "value", value);
  }

  /** What the query is at minute 20, of minutes. */
  private void assertAnswer(
      Query query,
      Chosen chosen,
      List<Map<String, Object>> series,
      Stream<Map<String, Object>> expected)
      throws Exception {
    assumeTrue(onPath(), "needs promtool (Debian: prometheus)");
    Map<String, Object> asked =
        Map.of(
            "expr", chosen.fill(query.expr()),
            "eval_time", "20m",
            "exp_samples", expected.toList());
    Map<String, Object> test =
        Map.of("interval", "1m", "input_series", series, "promql_expr_test", List.of(asked));
    Path file = dir.resolve("panel_test.yml");
    new YAMLMapper().writeValue(file.toFile(), Map.of("tests", List.of(test)));

    Process promtool =
        new ProcessBuilder("promtool", "test", "rules", file.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(promtool.waitFor()).as("%s of %s", output, query).isZero();
  }

  private static boolean onPath() {
    return Pattern.compile(":")
        .splitAsStream(System.getenv().getOrDefault("PATH", ""))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool")));
  }

  private static String gpu(String family, String node, String more) {
    return "%s{cluster=\"c\", instance=\"%s\", gpu=\"0\", UUID=\"GPU-%s\"%s}"
        .formatted(family, node, node, more);
  }

  /** One node without GPM that DCGM is read on, and the same with the other source. */
  private static List<Map<String, Object>> withoutGpm(String source) {
    return List.of(
        series(P4, "1x30"),
        series("instance_job_id:lapwing_gpus:allocated{cluster=\"c\", instance=\"p4\"}", "8x30"),
        series(gpu("lapwing_gpu_gpm_supported", "p4", ""), "0x30"),
        series(
            gpu("lapwing_gpu_activity_info", "p4", ", source=\"" + source + "\", reason=\"\""),
            "1x30"));
  }

  @Test
  void aGpuWithoutGpmIsNotCalledUnsupportedWhereDcgmIsRead() throws Exception {
    for (Query query :
        List.of(Unsupported.byNode("{gpu"), Unsupported.ofJob(), Unsupported.ofType())) {
      Chosen chosen = Chosen.ALL.with("$job", ".*");

      assertAnswer(query, chosen, withoutGpm("dcgm"), Stream.of());
      // A number, because promtool cannot expect NaN.
      Query counted = new Query("count(" + query.expr() + ")", "", query.form());
      assertAnswer(counted, chosen, withoutGpm("none"), Stream.of(sample("{}", 1)));
    }
  }

  private static String instance(String family, String id) {
    return gpu(family, "p5", ", GPU_I_ID=\"" + id + "\", GPU_I_PROFILE=\"" + id + "g\"");
  }

  /** GPU 0 has instances with 4, 2 and 1 of 8 slices; GPU 1 is whole. */
  private static List<Map<String, Object>> withMig(String family) {
    List<Map<String, Object>> series = new ArrayList<>();
    Map.of("4", 0.5, "2", 0.25, "1", 0.125)
        .forEach(
            (id, slices) ->
                series.add(
                    series(instance("lapwing_gpu_instance_slices_ratio", id), slices + "x30")));
    series.add(series(instance(family, "4"), "0.5x30"));
    series.add(series(instance(family, "2"), "1x30"));
    series.add(series(instance(family, "1"), "0x30"));
    series.add(series(gpu(family, "p5", "").replace("gpu=\"0\"", "gpu=\"1\""), "1x30"));
    return series;
  }

  @Test
  void theActivityOfAGpuWithMigIsThatOfItsInstancesBySlices() throws Exception {
    List<Map<String, Object>> series = withMig("DCGM_FI_PROF_SM_ACTIVE");

    assertAnswer(
        panel("lapwing-node", "GPU overview").queries().get(2),
        Chosen.ALL,
        series,
        Stream.of(sample("{gpu=\"0\"}", 0.5), sample("{gpu=\"1\"}", 1)));
    assertAnswer(
        panel("lapwing-node", "SMs active").queries().get(0),
        Chosen.ALL,
        series,
        Stream.of(sample("{}", 0.75)));
  }

  @Test
  void eachInstanceHasALineAndTheirMemoryIsTheGpus() throws Exception {
    List<Map<String, Object>> series = withMig("DCGM_FI_DEV_FB_USED");
    List<Panel> panels =
        PanelQuery.all().stream()
            .filter(query -> query.dashboard().uid().equals("lapwing-node"))
            .map(PanelQuery::panel)
            .filter(panel -> panel.title().equals("Memory used"))
            .distinct()
            .toList();

    assertAnswer(panels.get(0).queries().get(0), Chosen.ALL, series, Stream.of(sample("{}", 2.5)));
    String line = "{instance=\"p5\", gpu=\"0\", GPU_I_PROFILE=\"%1$sg\", GPU_I_ID=\"%1$s\"}";
    assertAnswer(
        panels.get(1).queries().get(0),
        Chosen.ALL,
        series,
        Stream.of(
            sample(line.formatted("4"), 0.5),
            sample(line.formatted("2"), 1),
            sample(line.formatted("1"), 0),
            sample("{instance=\"p5\", gpu=\"1\"}", 1)));
  }

  @Test
  void eachHolderOfASharedGpuHasALine() throws Exception {
    String pods = ", namespace=\"ml\", pod=\"%s\"";
    for (String title : List.of("Memory on shared GPUs", "Utilization of shared GPUs")) {
      Query query = panel("lapwing-node", title).queries().get(0);
      String family =
          query.expr().contains("memory") ? "memory_used_bytes" : "sm_utilization_ratio";
      String holder = "lapwing_gpu_holder_" + family;

      assertAnswer(
          query,
          Chosen.ALL,
          List.of(
              series(gpu(holder, "p5", pods.formatted("a")), "0.5x30"),
              series(gpu(holder, "p5", pods.formatted("b")), "0.25x30")),
          Stream.of(
              sample("{instance=\"p5\", gpu=\"0\"" + pods.formatted("a") + "}", 0.5),
              sample("{instance=\"p5\", gpu=\"0\"" + pods.formatted("b") + "}", 0.25)));
    }
  }

  @Test
  void allocatedGpusCountBySlices() throws Exception {
    List<Map<String, Object>> series = withMig("lapwing_gpu_instance_allocated");
    series.remove(series.size() - 1);
    series.set(3, series(instance("lapwing_gpu_instance_allocated", "4"), "1x30"));
    series.add(series(gpu("lapwing_gpu_allocated", "p5", ""), "1x30"));
    series.add(
        series(gpu("lapwing_gpu_allocated", "p5", "").replace("gpu=\"0\"", "gpu=\"1\""), "1x30"));

    assertAnswer(
        panel("lapwing-node", "Allocated").queries().get(0),
        Chosen.ALL,
        series,
        Stream.of(sample("{}", 1.75)));
  }

  @Test
  void aNodeThatDoesNotAnswerHasTheTimeSinceItDid() throws Exception {
    Query age = panel("lapwing-fleet", "Nodes to act on").queries().get(4);

    assertAnswer(
        age,
        Chosen.ALL,
        List.of(
            series("up{cluster=\"c\", instance=\"p4\", job=\"lapwing\"}", "1x5 0x25"),
            series("up{cluster=\"c\", instance=\"p5\", job=\"lapwing\"}", "1x30"),
            series("up{cluster=\"c\", instance=\"never\", job=\"lapwing\"}", "0x30")),
        Stream.of(sample("{cluster=\"c\", instance=\"p4\"}", 15 * 60)));
  }

  private static String target(String target) {
    return "fs_target:lapwing_lustre_rpc_wait_seconds:mean5m{cluster=\"c\", fs=\"%s\", target=\"%s\"}"
        .formatted(target.substring(0, 2), target);
  }

  @Test
  void theSlowestTargetsAreOfTheFileSystemsOfTheSelectedNodes() throws Exception {
    String mounted = "lapwing_lustre_size_bytes{cluster=\"c\", instance=\"%s\", fs=\"%s\"}";

    assertAnswer(
        panel("lapwing-network", "Request latency by target").queries().get(0),
        P5_ONLY.with("$top", "1"),
        List.of(
            series(P5, "1x30"),
            series(P4, "1x30"),
            series(mounted.formatted("p5", "f1"), "1x30"),
            series(mounted.formatted("p4", "f2"), "1x30"),
            series(target("f1-OST0000"), "1x30"),
            series(target("f1-OST0001"), "2x30"),
            series(target("f2-OST0000"), "3x30")),
        Stream.of(sample("{cluster=\"c\", fs=\"f1\", target=\"f1-OST0001\"}", 2)));
  }

  @Test
  void theFullestTargetsAreThoseOfTheSelectedNodes() throws Exception {
    String available =
        "lapwing_lustre_target_available_bytes{cluster=\"c\", instance=\"%s\", fs=\"f\", target=\"%s\"}";
    List<Map<String, Object>> series =
        new ArrayList<>(List.of(series(P5, "1x30"), series(P4, "1x30")));
    for (String node : List.of("p5", "p4")) {
      String one = available.formatted(node, node + "-OST0000");
      series.add(series(one, "25x30"));
      series.add(series(one.replace("available", "size"), "100x30"));
    }

    assertAnswer(
        panel("lapwing-network", "Fullest targets").queries().get(0),
        P5_ONLY,
        series,
        Stream.of(sample("{fs=\"f\", target=\"p5-OST0000\"}", 0.75)));
  }

  @Test
  void aJobIsComparedWithItselfAndWithTheChosenOneBefore() throws Exception {
    String mfu = "job_id:lapwing_training_mfu:avg{cluster=\"c\", job_id=\"%s\"}";
    Query before = panel("lapwing-job", "Model FLOPs utilization").queries().get(1);
    List<Map<String, Object>> series =
        Stream.of("1", "2", "3")
            .map(id -> series(mfu.formatted(id), "0.%s+0x30".formatted(id)))
            .toList();
    Chosen tonight = Chosen.ALL.with("$before", "10m").with("$job", "2");

    assertAnswer(before, tonight, series, Stream.of(sample("{job_id=\"2\"}", 0.2)));
    assertAnswer(
        before,
        tonight.with("$other", "1"),
        series,
        Stream.of(sample("{job_id=\"1\"}", 0.1), sample("{job_id=\"2\"}", 0.2)));
  }
}
