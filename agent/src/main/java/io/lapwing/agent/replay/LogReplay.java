package io.lapwing.agent.replay;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.health.engine.EffectivePolicy;
import io.lapwing.agent.health.engine.HealthRules;
import io.lapwing.common.config.ConfigException;
import io.lapwing.linux.KernelLogText;
import io.lapwing.linux.LogDating;
import io.lapwing.xid.XidTable;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Evaluates a saved kernel log on its own clock, with the rules that need only events. */
public final class LogReplay {

  /**
   * Replays the whole log and returns the verdict at its end; throws for an invalid policy or
   * profile, or an unreadable log.
   */
  public Verdict replay(ReplayRequest request, ReplayOutput output)
      throws ConfigException, IOException {
    XidTable table = XidTable.load();
    EffectivePolicy site =
        EffectivePolicy.load(
            new Settings.Health(
                profile(request), request.policy(), OptionalInt.empty(), OptionalInt.empty()),
            table,
            HealthRules.specs());
    try (InputStream in = new BufferedInputStream(Files.newInputStream(request.kmsg()))) {
      LogDating dating = new LogDating(Optional.of(Instant.EPOCH), Instant.now(), ZoneOffset.UTC);
      return new ReplayRun(site.policy(), table, request.driver(), output)
          .all(new KernelLogText(in, dating));
    }
  }

  private static Optional<Profile> profile(ReplayRequest request) throws ConfigException {
    if (request.profile().isEmpty()) {
      return Optional.empty();
    }
    String word = request.profile().get();
    for (Profile profile : Profile.values()) {
      if (profile.toString().equals(word.toLowerCase(Locale.ROOT))) {
        return Optional.of(profile);
      }
    }
    throw new ConfigException(
        List.of("flag --profile: '" + word + "' is not one of aws, nvidia, balanced"));
  }
}
