package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.PolicyOverrides;
import io.lapwing.agent.health.PolicyOverrides.DispositionChange;
import io.lapwing.agent.health.PolicyOverrides.RuleChange;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.SomeRules;
import io.lapwing.agent.health.Urgency;
import io.lapwing.common.config.ConfigException;
import io.lapwing.xid.XidTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyFileTest {

  private static final XidTable TABLE = XidTable.load();

  private final Path folder;

  PolicyFileTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private PolicyOverrides read(String yaml) throws Exception {
    return read(Files.writeString(folder.resolve("policy.yml"), yaml));
  }

  private static PolicyOverrides read(Path file) throws ConfigException {
    return PolicyFile.read(file, TABLE, SomeRules.ALL);
  }

  private List<String> problems(String yaml) {
    return catchThrowableOfType(ConfigException.class, () -> read(yaml)).problems();
  }

  @Test
  void aWholeFileIsUnderstood() throws Exception {
    PolicyOverrides site =
        read(
            """
            # what we do otherwise
            profile: nvidia
            xids:
              63: {action: reset_gpu, urgency: job_end, severity: degraded}
              "64": {action: reboot_node}
              200: {action: none, urgency: now, severity: info}
              unknown: {severity: info}
            rules:
              row_remap_failure: {enabled: false}
              sbe_acceleration:
                severity: failing
                action: watch
                urgency: now
                thresholds: {floor_per_hour: 20, factor: 1e1}
            """);

    assertThat(site.file()).contains(folder.resolve("policy.yml").toString());
    assertThat(site.profile()).contains(Profile.NVIDIA);
    assertThat(site.xids())
        .isEqualTo(
            Map.of(
                63, change(Severity.DEGRADED, Action.RESET_GPU, Urgency.JOB_END),
                64,
                    new DispositionChange(
                        Optional.empty(), Optional.of(Action.REBOOT_NODE), Optional.empty()),
                200, change(Severity.INFO, Action.NONE, Urgency.NOW)));
    assertThat(site.unknownXid())
        .isEqualTo(
            new DispositionChange(Optional.of(Severity.INFO), Optional.empty(), Optional.empty()));
    assertThat(site.rules())
        .isEqualTo(
            Map.of(
                "row_remap_failure",
                new RuleChange(Optional.of(false), DispositionChange.NONE, Map.of()),
                "sbe_acceleration",
                new RuleChange(
                    Optional.empty(),
                    change(Severity.FAILING, Action.WATCH, Urgency.NOW),
                    Map.of("floor_per_hour", 20.0, "factor", 10.0))));
  }

  private static DispositionChange change(Severity severity, Action action, Urgency urgency) {
    return new DispositionChange(Optional.of(severity), Optional.of(action), Optional.of(urgency));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "# nothing\n", "---\n", "{}", "~", "xids:\n", "xids: {}\nrules: {}\n"})
  void anEmptyFileChangesNothing(String yaml) throws Exception {
    PolicyOverrides site = read(yaml);

    assertThat(site)
        .isEqualTo(
            new PolicyOverrides(
                site.file(), Optional.empty(), Map.of(), DispositionChange.NONE, Map.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "profile: azure | :1: profile: 'azure' is not one of aws, nvidia, balanced",
        "profile: [aws] | :1: profile: needs one value",
        "profile: | :1: profile: has no value",
        "profil: aws | :1: profil: unknown key; did you mean profile?",
        "profile: aws;profile: nvidia | :2: profile: set twice",
        "xids: 63 | :1: xids: is a section: it needs keys and values",
        "xids: [63] | :1: xids: is a section: it needs keys and values",
        "xids:;  63: {action: reboot} | :2: xids.63.action: 'reboot' is not one of none, watch, restart_app, restart_service, reset_gpu, reboot_node, replace_node",
        "xids:;  63: {severity: bad} | :2: xids.63.severity: 'bad' is not one of info, degraded, unknown, failing",
        "xids:;  63: {urgency: later} | :2: xids.63.urgency: 'later' is not one of job_end, now",
        "xids:;  63: {acton: none} | :2: xids.63.acton: unknown key; did you mean action?",
        "xids:;  63: {enabled: false} | :2: xids.63.enabled: unknown key",
        "xids:;  63: failing | :2: xids.63: is a section: it needs keys and values",
        "xids:;  63: {action: none};  63: {action: watch} | :3: xids.63: set twice",
        "xids:;  0x3f: {action: none} | :2: xids.0x3f: is neither an XID nor unknown",
        "xids:;  unkown: {action: none} | :2: xids.unkown: is neither an XID nor unknown; did you mean unknown?",
        "xids:;  1790: {action: none} | :2: xids.1790: unknown XID: severity, action and urgency are required; did you mean 170?",
        "xids:;  unknown: {action: nothing} | :2: xids.unknown.action: 'nothing' is not one of none, watch, restart_app, restart_service, reset_gpu, reboot_node, replace_node",
        "rules:;  sbe_aceleration: {enabled: true} | :2: rules.sbe_aceleration: unknown rule; did you mean sbe_acceleration?",
        "rules:;  sbe_acceleration: {enabled: yes} | :2: rules.sbe_acceleration.enabled: 'yes' is not one of true, false",
        "rules:;  sbe_acceleration: {hold: 5m} | :2: rules.sbe_acceleration.hold: unknown key",
        "rules:;  sbe_acceleration: {thresholds: {flor_per_hour: 20}} | :2: rules.sbe_acceleration.thresholds.flor_per_hour: unknown key; did you mean floor_per_hour?",
        "rules:;  sbe_acceleration: {thresholds: {factor: 100.5}} | :2: rules.sbe_acceleration.thresholds.factor: '100.5' is not from 1 to 100",
        "rules:;  sbe_acceleration: {thresholds: {factor: many}} | :2: rules.sbe_acceleration.thresholds.factor: 'many' is not a number",
        "rules:;  sbe_acceleration: {thresholds: {factor: NaN}} | :2: rules.sbe_acceleration.thresholds.factor: 'NaN' is not a number",
        "rules:;  sbe_acceleration: {thresholds: 20} | :2: rules.sbe_acceleration.thresholds: is a section: it needs keys and values",
        "rules:;  row_remap_failure: {thresholds: {factor: 2}} | :2: rules.row_remap_failure.thresholds.factor: unknown key",
        "profile: *p | :1: profile: aliases are not supported; write the value out",
        "- profile | :1: is not a mapping of keys to values",
        "profile: aws;---;profile: nvidia | :3: a second document starts here; only one is read",
      })
  void eachMistakeIsReportedWithItsPlace(String yaml, String line) {
    assertThat(problems(yaml.replace(';', '\n')))
        .first()
        .isEqualTo(folder.resolve("policy.yml") + line);
  }

  @Test
  void allMistakesAreReportedAtOnce() {
    assertThat(
            problems(
                """
                profile: azure
                xids:
                  63: {action: reboot, severity: bad}
                rules:
                  sbe_acceleration: {thresholds: {factor: 0, floor_per_hour: x}}
                  nothing_known: {}
                """))
        .map(line -> line.substring(folder.toString().length() + "/policy.yml:".length()))
        .map(line -> line.substring(0, line.indexOf(": ", line.indexOf(": ") + 1)))
        .containsExactly(
            "1: profile",
            "3: xids.63.severity",
            "3: xids.63.action",
            "5: rules.sbe_acceleration.thresholds.floor_per_hour",
            "5: rules.sbe_acceleration.thresholds.factor",
            "6: rules.nothing_known");
  }

  @Test
  void whatIsNoYamlOrNoFileIsNamed() throws Exception {
    assertThat(problems("xids: [63\nrules: x\n"))
        .singleElement()
        .asString()
        .startsWith(folder.resolve("policy.yml") + ":2: is not YAML: ");
    Path none = folder.resolve("none.yml");
    assertThat(catchThrowableOfType(ConfigException.class, () -> read(none)).problems())
        .containsExactly(none + ": does not exist");
    assertThat(catchThrowableOfType(ConfigException.class, () -> read(folder)).problems())
        .containsExactly(folder + ": is a directory, not a file");
    Path bytes = Files.write(folder.resolve("b.yml"), new byte[] {'a', ':', (byte) 0xff});
    assertThat(catchThrowableOfType(ConfigException.class, () -> read(bytes)).problems())
        .containsExactly(bytes + ": is not UTF-8 text");
  }
}
