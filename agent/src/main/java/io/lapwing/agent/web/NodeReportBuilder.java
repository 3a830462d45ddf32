package io.lapwing.agent.web;

import io.lapwing.agent.health.Operations;
import io.lapwing.agent.metrics.Build;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SourceView;
import io.lapwing.collect.CollectorRun;
import io.lapwing.collect.Part;
import io.lapwing.gpu.GpuIdentity;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.node.ImdsSource;
import io.lapwing.node.InstanceType;
import io.lapwing.node.Inventory.Expectation;
import io.lapwing.node.NodeIdentity;
import io.lapwing.node.NodeSource;
import io.lapwing.nvml.Nvml;
import io.lapwing.nvml.Nvml.DriverVersions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Builds {@link NodeReport}s; {@code imds} is empty if disabled, {@code leftOut} has the sources
 * that the last metrics page left out.
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
    Supplier<Map<String, ?>> summaries,
    Supplier<Set<String>> leftOut,
    Supplier<Operations> operations) {

  public NodeReport report() {
    Instant now = clock.instant();
    return new NodeReport(
        node.simulated(),
        identity(),
        expected(),
        present(),
        maintenance(),
        operator(),
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
        leftOut.get().contains(source.name()),
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

  private NodeReport.Identity identity() {
    NodeIdentity now = node.identity();
    return new NodeReport.Identity(
        now.hostname(),
        now.instanceType().text(),
        now.instanceType().origin(),
        now.instanceId().text(),
        now.instanceId().origin(),
        now.vendor(),
        now.placement().region(),
        now.placement().availabilityZone(),
        now.placement().availabilityZoneId(),
        now.placement().lifecycle());
  }

  private NodeReport.Expected expected() {
    Expectation expected = node.expectation();
    return new NodeReport.Expected(
        expected.gpus(), expected.efaDevices(), expected.type().map(NodeReportBuilder::hardware));
  }

  private static NodeReport.Hardware hardware(InstanceType type) {
    return new NodeReport.Hardware(
        type.name(),
        type.gpus(),
        type.gpuModel(),
        type.gpuMemoryMiB(),
        type.nvlinksPerGpu(),
        type.efaDevices(),
        type.efaGbps(),
        type.bf16Teraflops(),
        type.fp8Teraflops(),
        type.source(),
        type.certainty().name().toLowerCase(Locale.ROOT));
  }

  private NodeReport.Present present() {
    Map<String, NodeReport.Parts> parts = new TreeMap<>();
    for (SourceView source : poller.sources()) {
      source
          .part()
          .filter(part -> !part.name().isEmpty())
          .map(Part::kind)
          .ifPresent(kind -> parts.merge(kind, one(source), NodeReportBuilder::sum));
    }
    return new NodeReport.Present(driver.nvml().map(there -> driver.gpuCount()), parts);
  }

  private static NodeReport.Parts one(SourceView source) {
    return new NodeReport.Parts(1, source.answers() ? 1 : 0);
  }

  private static NodeReport.Parts sum(NodeReport.Parts some, NodeReport.Parts more) {
    return new NodeReport.Parts(some.count() + more.count(), some.answering() + more.answering());
  }

  private NodeReport.Maintenance maintenance() {
    return new NodeReport.Maintenance(
        imds.flatMap(ImdsSource::maintenance), imds.flatMap(ImdsSource::spotInterruption));
  }

  private NodeReport.Operator operator() {
    Operations now = operations.get();
    return new NodeReport.Operator(now.maintenance(), now.released(), now.tests().size());
  }
}
