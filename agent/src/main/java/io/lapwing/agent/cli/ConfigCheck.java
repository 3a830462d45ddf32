package io.lapwing.agent.cli;

import io.lapwing.agent.CollectorGroup;
import io.lapwing.agent.config.Configuration;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.health.PolicyOverrides;
import io.lapwing.agent.health.engine.EffectivePolicy;
import io.lapwing.agent.health.engine.HealthRules;
import io.lapwing.agent.privacy.PrivacyKey;
import io.lapwing.agent.sources.FieldSettings;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.ResolvedOptions.ResolvedOption;
import io.lapwing.common.web.WebSecurity;
import io.lapwing.xid.XidTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code lapwing agent --check-config}: reads every file that the configuration names; starts
 * nothing.
 */
public final class ConfigCheck {

  private ConfigCheck() {}

  /** The summary of a valid configuration; otherwise throws every problem. */
  public static String run(Invocation.Check check) throws ConfigException {
    List<String> problems = new ArrayList<>(check.problems());
    check.configuration().ifPresent(read -> problems.addAll(ofFiles(read.settings())));
    if (!problems.isEmpty() || check.configuration().isEmpty()) {
      throw new ConfigException(problems);
    }
    return text(check.configuration().get());
  }

  /** The problems of the files that settings name. */
  public static List<String> ofFiles(Settings settings) {
    List<String> problems = new ArrayList<>();
    collect(problems, () -> FieldSettings.read(settings.gpu().fields()));
    collect(problems, () -> policy(settings));
    settings.web().guard().privacyKey().ifPresent(key -> collect(problems, () -> readKey(key)));
    settings.web().configFile().ifPresent(file -> collect(problems, () -> openAndClose(file)));
    return problems;
  }

  private interface FileReader {
    void read() throws ConfigException;
  }

  private static void collect(List<String> problems, FileReader reading) {
    try {
      reading.read();
    } catch (ConfigException wrong) {
      problems.addAll(wrong.problems());
    }
  }

  private static EffectivePolicy policy(Settings settings) throws ConfigException {
    return EffectivePolicy.load(settings.health(), XidTable.load(), HealthRules.specs());
  }

  private static void readKey(Path key) throws ConfigException {
    byte[] unused = PrivacyKey.read(key);
  }

  /** Checks the certificates and keys that it names, too. */
  private static void openAndClose(Path webFile) throws ConfigException {
    WebSecurity.open(webFile).close();
  }

  private static String text(Configuration configuration) throws ConfigException {
    Settings settings = configuration.settings();
    EffectivePolicy policy = policy(settings);
    PolicyOverrides site = policy.site();
    StringBuilder text = new StringBuilder("the configuration is valid\n");
    List<ResolvedOption> given =
        configuration.effective().stream().filter(one -> !one.place().isEmpty()).toList();
    given.forEach(
        one ->
            text.append("  %s = %s  (%s)%n".formatted(one.key(), one.text(), where(one.place()))));
    text.append(given.isEmpty() ? "  nothing is set: every option has its default\n" : "");
    text.append(
        "  policy: profile %s; XIDs changed: %d, rules changed: %d%n"
            .formatted(policy.profile(), site.xids().size(), site.rules().size()));
    FieldSettings fields = FieldSettings.read(settings.gpu().fields());
    Stream.concat(fields.unavailable().stream(), fields.warnings().stream())
        .forEach(line -> text.append("  warning: ").append(line).append('\n'));
    text.append("  collectors that are off: ").append(off(settings)).append('\n');
    text.append("  web configuration: ")
        .append(
            settings
                .web()
                .configFile()
                .map(Path::toString)
                .orElse("none (plain HTTP, no authentication)"));
    return text.append('\n').toString();
  }

  /** {@code /etc/lapwing.yml:3: log.level} repeats the key. */
  private static String where(String place) {
    int end = place.lastIndexOf(": ");
    return end < 0 ? place : place.substring(0, end);
  }

  private static String off(Settings settings) {
    String off =
        CollectorGroup.collectors().stream()
            .map(collector -> collector.name())
            .filter(name -> !settings.collectors().enabled(name))
            .collect(Collectors.joining(", "));
    return off.isEmpty() ? "none" : off;
  }
}
