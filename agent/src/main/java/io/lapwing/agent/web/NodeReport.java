package io.lapwing.agent.web;

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
 * @param summaries further details by kind: {@code efa}, {@code lustre}
 * @param sources the sources, which are polled independently
 * @param gpus every GPU seen since the agent started
 * @param unavailableFields fields of the field file that NVML does not support
 */
public record NodeReport(
    boolean simulated,
    Identity node,
    Expected expected,
    Present present,
    Maintenance maintenance,
    Map<String, ?> summaries,
    Agent agent,
    Driver driver,
    List<Source> sources,
    List<Gpu> gpus,
    List<String> unavailableFields) {

  /**
   * Unknown members are empty.
   *
   * @param instanceTypeFrom {@code configuration}, {@code dmi}, {@code imds}, {@code nobody}
   *     (unknown)
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

  /**
   * Expected counts: as configured, else those of the instance type.
   *
   * @param instanceType empty if the type is not in the instance table
   */
  public record Expected(
      OptionalInt gpus, OptionalInt efaDevices, Optional<Hardware> instanceType) {}

  /**
   * The hardware of an instance type.
   *
   * @param efaDevices the maximum
   * @param bf16Teraflops per GPU, without sparsity
   */
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

  /**
   * The hardware found.
   *
   * @param gpus the GPU count of the driver; empty without a driver
   * @param parts counts of other parts, by kind
   */
  public record Present(Optional<Integer> gpus, Map<String, Parts> parts) {}

  /** The number of parts of a kind, and how many of them answer. */
  public record Parts(int count, int answering) {}

  /**
   * From the instance metadata service.
   *
   * @param scheduled may be an empty list; an empty optional while unknown
   */
  public record Maintenance(
      Optional<List<MaintenanceEvent>> scheduled, Optional<SpotInterruption> spotInterruption) {}

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
   * A source.
   *
   * @param state starting, answering, hung, down or nothing-here
   * @param why for a state other than answering
   * @param hungFor the age of the hung call; zero if none
   */
  public record Source(
      String name, String state, String why, Duration hungFor, List<Collector> collectors) {}

  /**
   * A collector of a source.
   *
   * @param state collected, nothing-here or broken
   * @param age time since the last run
   */
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
