package io.lapwing.agent.health.engine;

import io.lapwing.agent.config.Options;
import io.lapwing.agent.config.PolicyFile;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.PolicyOverrides;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.ResolvedOptions.Change;
import io.lapwing.xid.XidTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The policy in force and its sources; the profile comes from {@code health.profile}, the policy
 * file or {@code default}.
 */
public record EffectivePolicy(
    Policy policy, Profile profile, String profileFrom, PolicyOverrides site) {

  /** Reads the policy file, if any; the settings' profile precedes the file's. */
  public static EffectivePolicy load(Settings.Health settings, XidTable table, List<RuleSpec> rules)
      throws ConfigException {
    PolicyOverrides site =
        settings.policy().isPresent()
            ? PolicyFile.read(settings.policy().get(), table, rules)
            : PolicyOverrides.NONE;
    String from =
        settings.profile().isPresent()
            ? Options.HEALTH_PROFILE.name()
            : site.profile().flatMap(profile -> site.file()).orElse("default");
    Profile profile = settings.profile().or(site::profile).orElse(Profile.AWS);
    return new EffectivePolicy(Policy.of(profile, table, rules, site), profile, from, site);
  }

  /** The differences between two policies, under the keys of the policy file. */
  public static final class PolicyDiff {

    private static final String NONE = "unset";

    private final List<Change> changes = new ArrayList<>();

    private PolicyDiff() {}

    public static List<Change> between(Policy before, Policy now) {
      PolicyDiff found = new PolicyDiff();
      found.note("policy profile", before.profile(), now.profile());
      found.note("policy xids.unknown", text(before.unknownXid()), text(now.unknownXid()));
      for (int xid : both(before.xids().keySet(), now.xids().keySet())) {
        found.note("policy xids." + xid, text(before.xid(xid)), text(now.xid(xid)));
      }
      for (String rule : both(before.rules().keySet(), now.rules().keySet())) {
        found.rule("policy rules." + rule, before.rules().get(rule), now.rules().get(rule));
      }
      return found.changes;
    }

    private void rule(String key, @Nullable RulePolicy before, @Nullable RulePolicy now) {
      if (before == null || now == null) {
        note(
            key,
            before == null ? NONE : text(before.disposition()),
            now == null ? NONE : text(now.disposition()));
        return;
      }
      note(key + ".enabled", String.valueOf(before.enabled()), String.valueOf(now.enabled()));
      note(key, text(before.disposition()), text(now.disposition()));
      for (String name : both(before.thresholds().keySet(), now.thresholds().keySet())) {
        note(
            key + ".thresholds." + name,
            Objects.toString(before.thresholds().get(name), NONE),
            Objects.toString(now.thresholds().get(name), NONE));
      }
    }

    private void note(String key, String before, String now) {
      if (!before.equals(now)) {
        changes.add(new Change(key, before, now));
      }
    }

    private static <T> Set<T> both(Set<T> some, Set<T> more) {
      Set<T> all = new TreeSet<>(some);
      all.addAll(more);
      return all;
    }

    private static String text(Disposition disposition) {
      return "%s/%s/%s"
          .formatted(
              disposition.severity().text(),
              disposition.action().text(),
              disposition.urgency().text());
    }
  }
}
