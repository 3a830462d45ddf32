package io.lapwing.agent.web;

import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SourceView;
import io.lapwing.collect.Part;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.node.Expectation;
import io.lapwing.node.ImdsSource;
import io.lapwing.node.InstanceType;
import io.lapwing.node.NodeIdentity;
import io.lapwing.node.NodeSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The identity, expected and present hardware of the node, for {@link NodeReport}. */
record InventoryReport(
    NodeSource node, Optional<ImdsSource> imds, NvmlDriver driver, Poller poller) {

  NodeReport.Identity identity() {
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

  NodeReport.Expected expected() {
    Expectation expected = node.expectation();
    return new NodeReport.Expected(
        number(expected.gpus()),
        number(expected.efaDevices()),
        expected.type().map(InventoryReport::hardware));
  }

  private static NodeReport.Hardware hardware(InstanceType type) {
    return new NodeReport.Hardware(
        type.name(),
        type.gpus(),
        type.gpuModel(),
        type.gpuMemoryMiB(),
        type.nvlinksPerGpu(),
        type.efaDevices(),
        number(type.efaGbps()),
        number(type.bf16Teraflops()),
        number(type.fp8Teraflops()),
        type.source(),
        type.certainty().name().toLowerCase(Locale.ROOT));
  }

  private static Optional<Integer> number(OptionalInt maybe) {
    return maybe.isPresent() ? Optional.of(maybe.getAsInt()) : Optional.empty();
  }

  NodeReport.Present present() {
    Map<String, NodeReport.Parts> parts = new TreeMap<>();
    for (SourceView source : poller.sources()) {
      source
          .part()
          .filter(part -> !part.name().isEmpty())
          .map(Part::kind)
          .ifPresent(kind -> parts.merge(kind, one(source), InventoryReport::sum));
    }
    return new NodeReport.Present(driver.nvml().map(there -> driver.gpuCount()), parts);
  }

  private static NodeReport.Parts one(SourceView source) {
    return new NodeReport.Parts(1, source.answers() ? 1 : 0);
  }

  private static NodeReport.Parts sum(NodeReport.Parts some, NodeReport.Parts more) {
    return new NodeReport.Parts(some.count() + more.count(), some.answering() + more.answering());
  }

  NodeReport.Maintenance maintenance() {
    return new NodeReport.Maintenance(
        imds.flatMap(ImdsSource::maintenance), imds.flatMap(ImdsSource::spotInterruption));
  }
}
