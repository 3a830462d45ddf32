package io.lapwing.drain.app;

import io.lapwing.common.config.Option;
import io.lapwing.common.config.OptionValues;
import io.lapwing.common.log.LogSettings;
import io.lapwing.common.web.KnownHosts;
import io.lapwing.common.web.WebSettings;
import io.lapwing.drain.app.DrainValueTypes.RepairDriver;
import io.lapwing.drain.policy.Budget;
import io.lapwing.drain.policy.GuardPolicy;
import io.lapwing.drain.policy.LadderPolicy;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.policy.WaitPolicy;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The values of all options, as the parts of the program read them. */
record DrainSettings(OptionValues values) {

  <T> T get(Option<T> option) {
    return values.get(option);
  }

  Policy policy() {
    Map<Verb, Mode> modes = new EnumMap<>(Verb.class);
    modes.put(Verb.DRAIN, get(DrainOptions.MODE_DRAIN));
    modes.put(Verb.END_JOB, get(DrainOptions.MODE_END_JOB));
    modes.put(Verb.RESET, get(DrainOptions.MODE_RESET));
    modes.put(Verb.REBOOT, get(DrainOptions.MODE_REBOOT));
    modes.put(Verb.REPLACE, get(DrainOptions.MODE_REPLACE));
    return new Policy(
        modes,
        budget(),
        get(DrainOptions.FRESHNESS),
        get(DrainOptions.HEALTHY_FOR),
        get(DrainOptions.JOBS_LEAVE_WITHIN),
        Map.of(
            Verb.RESET, get(DrainOptions.RESET_WITHIN),
            Verb.REBOOT, get(DrainOptions.REBOOT_WITHIN),
            Verb.REPLACE, get(DrainOptions.REPLACE_WITHIN)),
        get(DrainOptions.SIMULATED),
        waits(),
        new GuardPolicy(
            get(DrainOptions.OPT_OUT),
            get(DrainOptions.ONLY),
            get(DrainOptions.WINDOWS),
            get(DrainOptions.BLOCKING_ALERTS)),
        new LadderPolicy(
            get(DrainOptions.LEMON_REPAIRS),
            get(DrainOptions.LEMON_WITHIN),
            LadderPolicy.DEFAULT.releaseWithin(),
            LadderPolicy.DEFAULT.releaseFor(),
            get(DrainOptions.PODS_LEAVE_WITHIN),
            get(DrainOptions.REQUIRE_GPUS)));
  }

  private WaitPolicy waits() {
    return new WaitPolicy(
        get(DrainOptions.WAIT_MOST),
        get(DrainOptions.WAIT_RESTART),
        get(DrainOptions.WAIT_STALLED_STEPS),
        get(DrainOptions.WAIT_STALLED_FOR),
        get(DrainOptions.WAIT_NEVER),
        get(DrainOptions.WAIT_ALWAYS),
        get(DrainOptions.WAIT_CHECKPOINT),
        get(DrainOptions.WAIT_HAZARDS),
        get(DrainOptions.WAIT_RESTARTS),
        get(DrainOptions.WAIT_GANG));
  }

  private Budget budget() {
    return new Budget(
        get(DrainOptions.NODES),
        get(DrainOptions.SHARE_OF_ALL),
        get(DrainOptions.SHARE_OF_GROUP),
        get(DrainOptions.NODES_OF_JOB),
        get(DrainOptions.NODES_OF_DOMAIN),
        get(DrainOptions.PER_HOUR),
        get(DrainOptions.REPLACEMENTS_PER_HOUR),
        get(DrainOptions.GAP),
        get(DrainOptions.SYSTEMIC_NODES),
        get(DrainOptions.SYSTEMIC_WITHIN),
        get(DrainOptions.COOL_DOWN));
  }

  WebSettings web() {
    return new WebSettings(
        get(DrainOptions.LISTEN_ADDRESS),
        false,
        get(DrainOptions.UNIX_SOCKET),
        true,
        get(DrainOptions.WEB_CONFIG_FILE),
        get(DrainOptions.MAX_REQUESTS),
        KnownHosts.of(get(DrainOptions.ALLOWED_HOSTS), ""));
  }

  LogSettings log() {
    return new LogSettings(get(DrainOptions.LOG_LEVEL), get(DrainOptions.LOG_FORMAT));
  }

  /** By what the nodes are known as those of AWS ParallelCluster; empty if they are not. */
  Optional<String> parallelCluster(ParallelClusterHost host) {
    if (get(DrainOptions.SCHEDULER) != DrainOptions.SchedulerKind.SLURM) {
      return Optional.empty();
    }
    if (repairsBy(RepairDriver.Kind.PARALLELCLUSTER)) {
      return Optional.of("a driver of repairs is parallelcluster");
    }
    return host.found().map(folder -> folder + " exists on this machine");
  }

  boolean repairsBy(RepairDriver.Kind kind) {
    return get(DrainOptions.REBOOT).kind() == kind || get(DrainOptions.REPLACE).kind() == kind;
  }

  Path journal() {
    return get(DrainOptions.STATE).resolve("journal.jsonl");
  }

  Path evidence() {
    return get(DrainOptions.STATE).resolve("evidence");
  }

  Path pauseFile() {
    return get(DrainOptions.STATE).resolve("paused");
  }
}
