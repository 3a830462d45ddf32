package io.lapwing.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SelfRegistryTest {

  @Test
  void itHasProcessJvmAndRequestMetrics() throws Exception {
    SelfRegistry registry = SelfRegistry.ofThisProcess();
    registry.requests().started();
    registry.requests().answered("metrics", 200);
    registry.requests().started();
    registry.requests().rejected();

    assertThat(page(registry, PageFormat.TEXT_0_0_4).lines().map(SelfRegistryTest::withoutValue))
        .contains(
            "process_cpu_seconds_total",
            "process_resident_memory_bytes",
            "process_open_fds",
            "process_max_fds",
            "process_threads",
            "process_start_time_seconds",
            "jvm_memory_used_bytes{area=\"heap\",}",
            "jvm_memory_used_bytes{area=\"nonheap\",}",
            "jvm_memory_max_bytes{area=\"heap\",}",
            "jvm_threads_live_threads",
            "jvm_classes_loaded_classes",
            "lapwing_http_requests_total{code=\"200\",handler=\"metrics\",}",
            "lapwing_http_requests_in_flight",
            "lapwing_http_requests_rejected_total");
    assertThat(page(registry, PageFormat.TEXT_0_0_4))
        .containsPattern("(?m)^jvm_gc_pause_seconds_count\\{gc=\"[^\"]+\",} ")
        .contains(
            "lapwing_http_requests_in_flight 1.0\n", "lapwing_http_requests_rejected_total 1.0\n");
  }

  @ParameterizedTest
  @EnumSource
  void itStaysSmallAndHasNoCreatedSeriesAndNoExemplars(PageFormat format) throws Exception {
    String page = page(SelfRegistry.ofThisProcess(), format);

    assertThat(page).doesNotContain("_created").doesNotContain(" # {").doesNotContain("NaN");
    assertThat(page.lines().filter(line -> !line.startsWith("#")).count()).isLessThan(30);
  }

  @Test
  void openMetricsEndsOnce() throws Exception {
    assertThat(page(SelfRegistry.ofThisProcess(), PageFormat.OPENMETRICS_1_0_0))
        .endsWith("\n# EOF\n")
        .containsOnlyOnce("# EOF");
  }

  @Test
  void anEmptyRegistryStillEndsOpenMetrics() throws Exception {
    assertThat(page(SelfRegistry.empty(), PageFormat.OPENMETRICS_1_0_0)).isEqualTo("# EOF\n");
    assertThat(page(SelfRegistry.empty(), PageFormat.TEXT_0_0_4)).isEmpty();
  }

  @Test
  void aProcessThatCannotBeReadIsAbsent(@TempDir Path nothing) {
    assertThat(new ProcessCollector(nothing).collect()).isEmpty();
  }

  @Test
  void promtoolReportsNoProblems(@TempDir Path folder) throws Exception {
    assumeTrue(runs("promtool", "--version"), "promtool is not installed");
    SelfRegistry registry = SelfRegistry.ofThisProcess();
    registry.requests().started();
    registry.requests().answered("metrics", 200);
    Path page = folder.resolve("page");
    Files.writeString(page, page(registry, PageFormat.TEXT_0_0_4));
    Path said = folder.resolve("said");

    int status =
        new ProcessBuilder("promtool", "check", "metrics")
            .redirectInput(page.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start()
            .waitFor();

    assertThat(Files.readString(said)).isEmpty();
    assertThat(status).isZero();
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(List.of(command))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static String page(SelfRegistry registry, PageFormat format) throws IOException {
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    registry.write(format, name -> true, page);
    return page.toString(StandardCharsets.UTF_8);
  }

  private static String withoutValue(String line) {
    return line.substring(0, line.lastIndexOf(' '));
  }
}
