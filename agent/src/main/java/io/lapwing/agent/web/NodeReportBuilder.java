package io.lapwing.agent.web;

import io.lapwing.agent.metrics.Build;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SourceView;
import io.lapwing.collect.CollectorRun;
import io.lapwing.gpu.GpuIdentity;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.node.ImdsSource;
import io.lapwing.node.NodeSource;
import io.lapwing.nvml.Nvml;
import io.lapwing.nvml.Nvml.DriverVersions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Builds {@link NodeReport}s.
 *
 * @param imds empty if disabled
 * @param summaries further details by kind
 */
public record NodeReportBuilder(
    Build build,
    NodeSource node,
    Optional<ImdsSource> imds,
    NvmlDriver driver,
    GpuRoster roster,
    Poller poller,
    PollClock clock,
    Supplier<List<String>> unavailableFields,
    Supplier<Map<String, ?>> summaries) {

  public NodeReport report() {
    Instant now = clock.instant();
    InventoryReport inventory = new InventoryReport(node, imds, driver, poller);
    return new NodeReport(
        node.simulated(),
        inventory.identity(),
        inventory.expected(),
        inventory.present(),
        inventory.maintenance(),
        summaries.get(),
        new NodeReport.Agent(build.version(), build.revision(), build.javaVersion(), now),
        driverReport(),
        poller.sources().stream().map(source -> source(source, now)).toList(),
        roster.all().stream().map(this::gpu).toList(),
        unavailableFields.get());
  }

  private NodeReport.Driver driverReport() {
    DriverVersions versions = driver.versions();
    return new NodeReport.Driver(
        driver.nvml().isPresent(),
        versions.driver(),
        versions.nvml(),
        versions.cuda(),
        driver.gpuCount(),
        driver.reloads(),
        driver.nvml().map(Nvml::missingSymbols).orElse(List.of()));
  }

  private NodeReport.Source source(SourceView source, Instant now) {
    return new NodeReport.Source(
        source.name(),
        source.status().text(),
        source.status().why(),
        source.status().hungFor(),
        source.runs().stream().map(run -> collector(run, now)).toList());
  }

  private static NodeReport.Collector collector(CollectorRun run, Instant now) {
    String cadence = run.cadence().name().toLowerCase(Locale.ROOT);
    Duration age = Duration.between(run.at(), now);
    if (run instanceof CollectorRun.Collected collected) {
      return new NodeReport.Collector(
          run.collector(), cadence, "collected", "", age, run.took(), collected.samples().size());
    }
    boolean notPresent = run instanceof CollectorRun.NothingHere;
    return new NodeReport.Collector(
        run.collector(),
        cadence,
        notPresent ? "nothing-here" : "broken",
        why(run),
        age,
        run.took(),
        0);
  }

  private static String why(CollectorRun run) {
    if (run instanceof CollectorRun.NothingHere notPresent) {
      return notPresent.why();
    }
    return run instanceof CollectorRun.Broken broken ? broken.why() : "";
  }

  private NodeReport.Gpu gpu(GpuRoster.Known known) {
    GpuIdentity gpu = known.identity();
    return new NodeReport.Gpu(
        gpu.index(),
        gpu.uuid(),
        gpu.name(),
        gpu.serial(),
        gpu.pciBusId(),
        gpu.minorNumber(),
        gpu.vbiosVersion(),
        roster.at(gpu.index()).filter(known::equals).isPresent()
            && gpu.index() < driver.gpuCount());
  }
}
