package io.lapwing.agent.health.engine;

import io.lapwing.agent.config.ConfigException;
import io.lapwing.agent.config.Options;
import io.lapwing.agent.config.PolicyFile;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.PolicyOverrides;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.xid.XidTable;
import java.util.List;

/**
 * The policy in force, and where it comes from.
 *
 * @param profileFrom the source of the profile: {@code health.profile}, the policy file or {@code
 *     default}
 * @param site the differences from the profile
 */
public record EffectivePolicy(
    Policy policy, Profile profile, String profileFrom, PolicyOverrides site) {

  /**
   * Reads the policy file, if there is one. The profile of the settings precedes that of the file.
   *
   * @throws ConfigException with everything that is wrong with the file
   */
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
}
