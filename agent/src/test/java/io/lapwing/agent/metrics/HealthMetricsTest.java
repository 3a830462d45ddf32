package io.lapwing.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.agent.health.HealthMetrics;
import io.lapwing.agent.health.HealthSamples;
import io.lapwing.agent.health.HealthSamples.EventLogStatus;
import io.lapwing.agent.health.HealthSamples.KernelFaults;
import io.lapwing.agent.health.HealthSamples.KernelLogCounts;
import io.lapwing.agent.health.HealthSamples.SwitchErrors;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.Operations;
import io.lapwing.host.HostFaultKind;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricCatalogue;
import io.lapwing.metric.Samples;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The health families in the scrape response. */
class HealthMetricsTest {

  private static final List<Metric> CATALOGUE = MetricCatalogue.of(HealthMetrics.class).metrics();

  private static final Operations OPERATIONS =
      new Operations(
          Optional.of(
              new Operations.Maintenance(
                  MadeReports.FELL, MadeReports.FELL.plusSeconds(7_200), "swap PSU")),
          Optional.empty(),
          List.of());

  private static byte[] page(PageFormat format) {
    Samples samples =
        new HealthSamples()
            .samples(
                MadeReports.during(MadeReports.failingAndSlow(), OPERATIONS),
                EventLogStatus.of(false, Map.of("xid", 3L), 7),
                new KernelLogCounts(false, 0, 2),
                new KernelFaults(
                    List.of(
                        new SwitchErrors("nvidia-nvswitch0", 20009, false, 1, MadeReports.FELL)),
                    Map.of(HostFaultKind.OOM_KILL, 2L)));
    PageBuffer page = new PageBuffer();
    new PageLayout.PageRenderer().render(List.of(samples), format, page);
    return page.toBytes();
  }

  private static final Set<String> SOMETIMES = Set.of("test", "confirmed", "xid_name", "GPU_I_ID");

  @Test
  void everyFamilyIsOnThePageAsTheCatalogueHasIt() {
    TextPage page = TextPage.parse(page(PageFormat.TEXT_0_0_4));

    assertThat(page.families())
        .extracting(TextPage.Family::name)
        .containsExactlyInAnyOrderElementsOf(CATALOGUE.stream().map(Metric::name).toList());
    for (Metric metric : CATALOGUE) {
      TextPage.Family family = page.family(metric.name()).orElseThrow();
      assertThat(family.type()).isEqualTo(metric.type().text());
      assertThat(family.help()).isEqualTo(metric.help());
      assertThat(family.samples())
          .allSatisfy(
              sample ->
                  assertThat(sample.labels().keySet())
                      .as(sample.series())
                      .isSubsetOf(metric.labels())
                      .containsAll(
                          metric.labels().stream()
                              .filter(one -> !SOMETIMES.contains(one))
                              .toList()));
    }
  }

  @Test
  void everyHelpEndsWithItsSource() {
    assertThat(CATALOGUE)
        .allSatisfy(
            metric -> assertThat(metric.help()).as(metric.name()).matches(".*\\([^()]+\\)\\."));
  }

  @ParameterizedTest
  @EnumSource
  void bothFormatsCanBeRead(PageFormat format) {
    String end = format == PageFormat.OPENMETRICS_1_0_0 ? "# EOF\n" : "";

    TextPage page = TextPage.parse(new String(page(format), StandardCharsets.UTF_8) + end, format);

    assertThat(page.value("lapwing_node_verdict", "verdict", "failing")).hasValue(1.0);
    assertThat(page.value("lapwing_event_log_dropped_total")).hasValue(7.0);
    assertThat(page.value("lapwing_kernel_log_readable")).hasValue(0.0);
  }

  @Test
  void promtoolReportsNoProblems(@TempDir Path folder) throws Exception {
    Path promtool = Path.of("/usr/bin/promtool");
    assumeTrue(Files.isExecutable(promtool), "promtool is not installed");
    Path file = folder.resolve("page.txt");
    Files.write(file, page(PageFormat.TEXT_0_0_4));

    Process check =
        new ProcessBuilder(promtool.toString(), "check", "metrics")
            .redirectInput(file.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(check.waitFor()).as(said).isZero();
    assertThat(said).isEmpty();
  }
}
