package io.lapwing.agent.web;

import io.lapwing.agent.health.Operations;
import io.lapwing.node.ImdsSource.SpotInterruption;
import io.lapwing.node.MaintenanceEvent;
import io.lapwing.node.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code /api/v1/node}: the identity and hardware of the node, and the state of each source.
 * Component names are JSON members.
 *
 * @param simulated whether any part of the node is simulated
 * @param expected the expected hardware, as far as known
 * @param present the hardware found
 * @param maintenance scheduled EC2 events
 * @param operator the active operations of operators
 * @param summaries further details by kind: {@code efa}, {@code lustre}
 * @param sources the sources, which are polled independently
 * @param gpus every GPU seen since the agent started
 * @param unavailableFields fields of the field file that Lapwing does not expose or does not know
 */
public record NodeReport(
    boolean simulated,
    Identity node,
    Expected expected,
    Present present,
    Maintenance maintenance,
    Operator operator,
    Map<String, ?> summaries,
    Agent agent,
    Driver driver,
    List<Source> sources,
    List<Gpu> gpus,
    List<String> unavailableFields) {

  /**
   * Unknown members are empty; origins are {@code configuration}, {@code dmi}, {@code imds} or
   * {@code unknown}.
   */
  public record Identity(
      String hostname,
      String instanceType,
      Origin instanceTypeFrom,
      String instanceId,
      Origin instanceIdFrom,
      String vendor,
      String region,
      String availabilityZone,
      String availabilityZoneId,
      String lifecycle) {}

  /** Configured counts, else those of the instance type, which is empty if not in the table. */
  public record Expected(
      OptionalInt gpus, OptionalInt efaDevices, Optional<Hardware> instanceType) {}

  /** An instance type's hardware: the maximum of EFA devices, bf16 per GPU without sparsity. */
  public record Hardware(
      String name,
      int gpus,
      String gpuModel,
      long gpuMemoryMiB,
      int nvlinksPerGpu,
      int efaDevices,
      OptionalInt efaGbps,
      OptionalInt bf16Teraflops,
      OptionalInt fp8Teraflops,
      String source,
      String certainty) {}

  /** The hardware found; {@code gpus} is the driver's count, empty without a driver. */
  public record Present(Optional<Integer> gpus, Map<String, Parts> parts) {}

  public record Parts(int count, int answering) {}

  /** From the instance metadata service; empty while unknown. */
  public record Maintenance(
      Optional<List<MaintenanceEvent>> scheduled, Optional<SpotInterruption> spotInterruption) {}

  /** Members are empty while inactive; {@code testFindings} is a number. */
  public record Operator(
      Optional<Operations.Maintenance> maintenance,
      Optional<Operations.Release> gpusReleased,
      int testFindings) {}

  public record Agent(String version, String revision, String javaVersion, Instant now) {}

  /** Versions are empty without a driver. */
  public record Driver(
      boolean attached,
      String driverVersion,
      String nvmlVersion,
      String cudaVersion,
      int gpuCount,
      long reloads,
      List<String> missingFunctions) {}

  /**
   * A source: starting, answering, hung, down or nothing-here, and why unless it answers; {@code
   * leftOut} if the last metrics page was too large for its series.
   */
  public record Source(
      String name,
      String state,
      String why,
      Duration hungFor,
      boolean leftOut,
      List<Collector> collectors) {}

  /** A collector: collected, nothing-here or broken; {@code age} since its last run. */
  public record Collector(
      String name,
      String cadence,
      String state,
      String why,
      Duration age,
      Duration took,
      int series) {}

  public record Gpu(
      int index,
      String uuid,
      String name,
      String serial,
      String pciBusId,
      String minorNumber,
      String vbiosVersion,
      boolean present) {}
}
