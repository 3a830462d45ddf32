package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.JobEnder;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.cluster.Scheduler;
import io.lapwing.drain.health.GpuRelease;
import io.lapwing.drain.health.HealthReader;
import io.lapwing.drain.jobs.CheckpointFacts;
import io.lapwing.drain.jobs.JobProgress;
import io.lapwing.drain.jobs.Prices;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * All that the controller reads and commands.
 *
 * @param stopped the kill switch: why nothing may be done; empty if it may
 * @param firing names of the alerts that fire
 */
public record Ports(
    Scheduler scheduler,
    Repairs repairs,
    HealthReader agents,
    JobEnder jobs,
    GpuRelease release,
    EvidenceStore evidence,
    SiteTest test,
    CheckpointFacts checkpoints,
    Prices prices,
    Supplier<Optional<String>> stopped,
    Supplier<Set<String>> firing) {

  /** The minimum: no job is ended, and checkpoints and prices are unknown. */
  public static Ports of(
      Scheduler scheduler,
      Repairs repairs,
      HealthReader agents,
      Supplier<Optional<String>> stopped) {
    return new Ports(
        scheduler,
        repairs,
        agents,
        (job, node, reason) -> new Refused("no driver ends jobs"),
        GpuRelease.BY_DRIVER,
        state -> new EvidenceStore.NotSaved("no store is configured"),
        SiteTest.NO_TEST,
        job -> JobProgress.UNKNOWN,
        Prices.NONE,
        stopped,
        Set::of);
  }
}
