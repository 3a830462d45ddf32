package io.lapwing.agent;

import io.lapwing.agent.cli.ConfigCheck;
import io.lapwing.agent.config.Configuration;
import io.lapwing.agent.config.Configuration.Reloaded;
import io.lapwing.agent.config.Options;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.health.engine.EffectivePolicy;
import io.lapwing.agent.health.engine.EffectivePolicy.PolicyDiff;
import io.lapwing.agent.health.engine.HealthRules;
import io.lapwing.agent.sources.FieldSettings;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.ResolvedOptions.Change;
import io.lapwing.common.log.Log;
import io.lapwing.common.log.LogLevel;
import io.lapwing.common.log.LogSettings;
import io.lapwing.common.log.Logging;
import io.lapwing.xid.XidTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Re-reads the configuration and applies what can change at run time; after any mistake nothing
 * changes. Single-threaded.
 */
final class Reload {

  private static final Log LOG = Log.of(Reload.class);

  private final ConfigReader reading;
  private final Wiring wiring;
  private final IntConsumer maxRequests;
  private Configuration current;

  /** Reads flags, variables and files as at the start. */
  interface ConfigReader {
    Invocation read() throws ConfigException;
  }

  Reload(Configuration current, ConfigReader reading, Wiring wiring, IntConsumer maxRequests) {
    this.current = current;
    this.reading = reading;
    this.wiring = wiring;
    this.maxRequests = maxRequests;
  }

  /** Reloads. Problems are logged, and the agent runs on. */
  void run() {
    try {
      Invocation next = reading.read();
      if (next instanceof Invocation.Run run) {
        apply(run.configuration());
        wiring.reloads().succeeded(wiring.clock().instant());
      }
    } catch (ConfigException wrong) {
      wiring.reloads().failed();
      wrong.problems().forEach(problem -> LOG.error("configuration", "problem", problem));
      LOG.error(
          "configuration not reloaded; the previous one stays in effect",
          "problems",
          wrong.problems().size());
    } catch (RuntimeException bug) {
      wiring.reloads().failed();
      LOG.error("configuration not reloaded", bug);
    }
  }

  private void apply(Configuration next) throws ConfigException {
    List<String> problems = ConfigCheck.ofFiles(next.settings());
    ConfigException.throwAny(problems);
    Reloaded reloaded = current.with(next, wiring.keysOfHungSources());
    Settings now = reloaded.configuration().settings();
    EffectivePolicy policy =
        EffectivePolicy.load(now.health(), XidTable.load(), HealthRules.specs());
    FieldSettings fields = FieldSettings.read(now.gpu().fields());
    List<Change> changes = new ArrayList<>(reloaded.changes());
    changes.addAll(PolicyDiff.between(wiring.policy().policy(), policy.policy()));
    changes.addAll(fieldLines(fields));
    List<Change> waiting = new ArrayList<>(reloaded.waiting());
    if (!fields.labels().equals(wiring.fields().labels())) {
      waiting.add(new Change("labels in " + Options.GPU_FIELDS.name(), "previous", "changed"));
    }
    LogSettings before = current.settings().log();
    Logging.change(moreVerbose(before, now.log()));
    wiring.change(now, policy, fields);
    maxRequests.accept(now.web().maxRequests());
    current = reloaded.configuration();
    log(changes, waiting);
    Logging.change(now.log());
  }

  private List<Change> fieldLines(FieldSettings now) {
    int before = wiring.fields().lines().size();
    return now.lines().equals(wiring.fields().lines())
        ? List.of()
        : List.of(
            new Change(
                "content of " + Options.GPU_FIELDS.name(),
                before + " lines",
                now.lines().size() + " lines"));
  }

  /** The more verbose of the two levels, so that a changed level does not hide the changes. */
  private static LogSettings moreVerbose(LogSettings before, LogSettings now) {
    LogLevel level = before.level().compareTo(now.level()) < 0 ? before.level() : now.level();
    return new LogSettings(level, now.format());
  }

  private void log(List<Change> changes, List<Change> waiting) {
    current.warnings().forEach(warning -> LOG.warn(warning));
    changes.forEach(
        one -> LOG.info("changed", "key", one.key(), "from", one.from(), "to", one.to()));
    waiting.forEach(
        one ->
            LOG.warn(
                "not applied: " + why(one),
                "key",
                one.key(),
                "current",
                one.from(),
                "requested",
                one.to()));
    LOG.info("configuration reloaded", "changed", changes.size(), "not applied", waiting.size());
  }

  private static String why(Change waiting) {
    return waiting.held() ? "its source is hung" : "requires a restart of the agent";
  }
}
