package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lapwing.agent.health.SomeRules;
import io.lapwing.common.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyCommandTest {

  private final Path folder;

  PolicyCommandTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static String run(String... args) throws ConfigException {
    return run(Map.of(), args);
  }

  private static String run(Map<String, String> environment, String... args)
      throws ConfigException {
    return new PolicyCommand(SomeRules.ALL).run(List.of(args), environment);
  }

  private static List<String> problems(String... args) {
    return catchThrowableOfType(ConfigException.class, () -> run(args)).problems();
  }

  private String file(String yaml) throws Exception {
    return Files.writeString(folder.resolve("policy.yml"), yaml).toString();
  }

  @Test
  void withoutAFileTheDefaultProfileIsShown() throws Exception {
    String text = run("show");

    assertThat(text)
        .startsWith(
            """
            profile      aws (default)
            policy file  none

            RULE               SEVERITY  ACTION        URGENCY  HOLD  RELEASE  FROM
            row_remap_failure  failing   replace_node  now      0s    30s      profile aws
            sbe_acceleration   degraded  watch         job_end  5m    10m      profile aws
              floor_per_hour = 10 errors  (default)
              factor = 2.5 ratio  (default)

            XID      NAME                                 SEVERITY  ACTION        URGENCY  FROM
            8        channel idle timeout                 info      restart_app   now      profile aws
            """);
    assertThat(text.lines().filter(line -> line.startsWith("79 ")))
        .singleElement()
        .asString()
        .matches("79 +GPU has fallen off the bus +failing +replace_node +now +profile aws");
    assertThat(text.lines().reduce((first, second) -> second).orElseThrow())
        .matches("unknown +unknown +degraded +watch +job_end +profile aws");
  }

  @Test
  void changesOfTheFileAreShownBesideTheProfile() throws Exception {
    String file =
        file(
            """
            profile: nvidia
            xids:
              63: {severity: info}
              200: {severity: failing, action: reboot_node, urgency: now}
            rules:
              row_remap_failure: {enabled: false}
              sbe_acceleration: {action: watch, thresholds: {factor: 4}}
            """);

    assertThat(run("show", "--health.policy=" + file).lines())
        .contains(
            "profile      nvidia (" + file + ")",
            "policy file  " + file,
            "  floor_per_hour = 10 errors  (default)",
            "  factor = 4 ratio  (" + file + "; default 2.5)")
        .anyMatch(
            line ->
                line.matches(
                    "63 +row remap recorded +info +reset_gpu +job_end +\\Q"
                        + file
                        + "\\E; profile nvidia: degraded reset_gpu job_end"))
        .anyMatch(
            line ->
                line.matches(
                    "200 +unknown +failing +reboot_node +now +\\Q"
                        + file
                        + "\\E; profile nvidia: degraded watch job_end"))
        .anyMatch(
            line ->
                line.matches(
                    "row_remap_failure +off +- +- +0s +30s +\\Q"
                        + file
                        + "\\E; profile nvidia: failing replace_node job_end"))
        .anyMatch(
            line ->
                line.matches(
                    "sbe_acceleration +info +watch +job_end +5m +10m +\\Q"
                        + file
                        + "\\E; profile nvidia: info none job_end"))
        .anyMatch(line -> line.matches("64 .*profile nvidia"));
  }

  @Test
  void theProfileOfTheFlagPrecedesThatOfTheFile() throws Exception {
    String file = file("profile: nvidia\n");

    assertThat(run("show", "--health.policy=" + file, "--health.profile=aws"))
        .startsWith("profile      aws (health.profile)\n");
    assertThat(run(Map.of("LAPWING_HEALTH_PROFILE", "aws"), "show", "--health.policy", file))
        .startsWith("profile      aws (health.profile)\n");
    assertThat(run("show", "--health.policy=" + file)).startsWith("profile      nvidia (" + file);
  }

  @Test
  void theConfigurationFileOfTheAgentIsRead() throws Exception {
    String policy = file("xids: {79: {action: reboot_node}}\n");
    Path config =
        Files.writeString(folder.resolve("lapwing.yml"), "health: {policy: " + policy + "}\n");

    assertThat(run("show", "--config.file=" + config)).contains("\npolicy file  " + policy + "\n");
  }

  @Test
  void aValidFileIsReportedAsSound() throws Exception {
    String file =
        file(
            "xids: {79: {action: none}, unknown: {action: none}}\nrules: {sbe_acceleration: {}}\n");

    assertThat(run("check", file))
        .isEqualTo(file + " is valid: profile aws; XIDs changed: 2, rules changed: 1");
  }

  @Test
  void problemsAreNamed() throws Exception {
    String file = file("xids: {79: {action: replace}}\n");

    assertThat(problems("check", file))
        .singleElement()
        .asString()
        .startsWith(file + ":1: xids.79.");
    assertThat(problems("show", "--health.policy=" + file)).isEqualTo(problems("check", file));
    assertThat(problems("check")).containsExactly("policy: check takes one file");
    assertThat(problems("check", file, file)).containsExactly("policy: check takes one file");
    assertThat(problems("shwo")).containsExactly("policy: 'shwo' is neither show nor check");
    assertThat(problems()).containsExactly("policy: show or check is missing");
    assertThat(problems("show", "--health.profil=aws"))
        .containsExactly("flag --health.profil: unknown; did you mean --health.profile?");
  }

  @Test
  void helpListsTheCommands() throws Exception {
    assertThat(run("--help")).contains("policy show").contains("policy check");
    assertThat(run("show", "--help")).isEqualTo(run("--help"));
  }
}
