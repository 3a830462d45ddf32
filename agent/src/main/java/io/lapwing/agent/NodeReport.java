package io.lapwing.agent;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * {@code /api/v1/node}: what this node is, what is read of it, and why the rest is not.
 *
 * @param simulated whether any part of it is
 * @param sources what is read, each on its own thread
 * @param gpus every GPU that was seen since the agent started
 * @param unavailableFields lines of the field file that NVML cannot answer
 */
record NodeReport(
    boolean simulated,
    Identity node,
    Agent agent,
    Driver driver,
    List<Source> sources,
    List<Gpu> gpus,
    List<String> unavailableFields) {

  record Identity(String hostname, String instanceType, String instanceId, String vendor) {}

  record Agent(String version, String revision, String javaVersion, Instant now) {}

  /** Versions are empty while there is no driver. */
  record Driver(
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
  record Source(
      String name, String state, String why, Duration hungFor, List<Collector> collectors) {}

  /**
   * A collector of a source.
   *
   * @param state collected, nothing-here or broken
   * @param age of the last run
   */
  record Collector(
      String name,
      String cadence,
      String state,
      String why,
      Duration age,
      Duration took,
      int series) {}

  record Gpu(
      int index,
      String uuid,
      String name,
      String serial,
      String pciBusId,
      String minorNumber,
      String vbiosVersion,
      boolean present) {}
}
