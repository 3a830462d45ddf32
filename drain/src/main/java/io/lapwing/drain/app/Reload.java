package io.lapwing.drain.app;

import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.ResolvedOptions;
import io.lapwing.common.config.ResolvedOptions.Change;
import io.lapwing.common.log.Log;
import io.lapwing.drain.app.Configuration.Invocation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * Re-reads the configuration and applies what can change at run time; after any mistake nothing
 * changes. Single-threaded.
 */
final class Reload {
  private static final Log LOG = Log.of(Reload.class);

  private final List<String> args;
  private final Map<String, String> environment;
  private Configuration current;

  interface Target {
    void apply(DrainSettings next) throws IOException;
  }

  Reload(Configuration current, List<String> args, Map<String, String> environment) {
    this.current = current;
    this.args = args;
    this.environment = environment;
  }

  /** Returns why the previous configuration stays in effect; empty if it was replaced. */
  Optional<String> run(Target target, IntConsumer maxRequests) {
    try {
      if (Configuration.read(args, environment, ParallelClusterHost.THIS)
          instanceof Invocation.Run next) {
        apply(next.configuration(), target, maxRequests);
        // They are read only at the start, so they cannot prevent the change of a mode.
        next.configuration()
            .ofFiles()
            .forEach(wrong -> LOG.warn("a restart would fail", "problem", wrong));
        return Optional.empty();
      }
      return Optional.of("the command line no longer runs a controller");
    } catch (ConfigException wrong) {
      wrong.problems().forEach(problem -> LOG.error("configuration", "problem", problem));
      LOG.error("configuration not reloaded; the previous one stays in effect");
      return Optional.of(String.join("; ", wrong.problems()));
    } catch (IOException | RuntimeException failed) {
      LOG.error("configuration not reloaded", failed);
      return Optional.of(String.valueOf(failed.getMessage()));
    }
  }

  private void apply(Configuration next, Target target, IntConsumer maxRequests)
      throws IOException {
    ResolvedOptions.Reloaded reloaded =
        current.options().with(next.options(), current.heldFor(next, ParallelClusterHost.THIS));
    Configuration merged = new Configuration(reloaded.options(), next.warnings());
    target.apply(merged.settings());
    maxRequests.accept(merged.settings().get(DrainOptions.MAX_REQUESTS));
    current = merged;
    merged.allWarnings(ParallelClusterHost.THIS).forEach(warning -> LOG.warn(warning));
    for (Change one : reloaded.changes()) {
      LOG.info("changed", "key", one.key(), "from", one.from(), "to", one.to());
    }
    for (Change one : reloaded.waiting()) {
      LOG.warn(
          "not applied: requires a restart",
          "key",
          one.key(),
          "current",
          one.from(),
          "requested",
          one.to());
    }
    LOG.info(
        "configuration reloaded",
        "changed",
        reloaded.changes().size(),
        "not applied",
        reloaded.waiting().size());
  }
}
