package io.lapwing.agent.web;

import io.lapwing.node.MaintenanceEvent;
import io.lapwing.node.Origin;
import io.lapwing.node.SpotInterruption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code /api/v1/node}: what this node is, what is read of it, and why the rest is not.
 *
 * @param simulated whether any part of it is
 * @param expected what it should have, as far as anybody says
 * @param present what it has
 * @param maintenance what EC2 is going to do to it
 * @param summaries what else there is to say, by kind: {@code efa}, {@code lustre}
 * @param sources what is read, none waiting for another
 * @param gpus every GPU that was seen since the agent started
 * @param unavailableFields lines of the field file that NVML cannot answer
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
   * What it is; empty what nobody tells.
   *
   * @param instanceTypeFrom {@code configuration}, {@code dmi}, {@code imds}, {@code nobody}
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
   * What it should have. Counts are the operator's word where there is one, else those of the
   * instance type.
   *
   * @param instanceType what Lapwing knows of the type; empty for one without a row in its table
   */
  public record Expected(
      Optional<Integer> gpus, Optional<Integer> efaDevices, Optional<Hardware> instanceType) {}

  /**
   * What an instance type has.
   *
   * @param efaDevices the most there can be
   * @param bf16Teraflops of one GPU, without sparsity
   */
  public record Hardware(
      String name,
      int gpus,
      String gpuModel,
      long gpuMemoryMiB,
      int nvlinksPerGpu,
      int efaDevices,
      Optional<Integer> efaGbps,
      Optional<Integer> bf16Teraflops,
      Optional<Integer> fp8Teraflops,
      String source,
      String certainty) {}

  /**
   * What there is.
   *
   * @param gpus as the driver counts them; empty without a driver
   * @param parts how many others are read, by kind
   */
  public record Present(Optional<Integer> gpus, Map<String, Parts> parts) {}

  /** Of one kind: how many there are, and how many of them answer. */
  public record Parts(int count, int answering) {}

  /**
   * By the instance metadata service.
   *
   * @param scheduled possibly none; empty while that is not known
   */
  public record Maintenance(
      Optional<List<MaintenanceEvent>> scheduled, Optional<SpotInterruption> spotInterruption) {}

  public record Agent(String version, String revision, String javaVersion, Instant now) {}

  /** Versions are empty while there is no driver. */
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
   * @param hungFor how long the call that hangs has been outstanding
   */
  public record Source(
      String name, String state, String why, Duration hungFor, List<Collector> collectors) {}

  /**
   * A collector of a source.
   *
   * @param state collected, nothing-here or broken
   * @param age of the last run
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
