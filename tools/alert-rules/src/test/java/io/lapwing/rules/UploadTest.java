package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code upload.sh} with a program in place of AWS's. */
class UploadTest {

  /** Has one namespace and no alert manager definition; records its arguments. */
  private static final String AWS =
      """
      #!/bin/sh
      echo "$@" >>"$CALLS"
      case "$*" in
        *list-rule-groups-namespaces*) echo lapwing-gpu ;;
        *describe-workspace*) echo arn:aws-us-gov:aps:us-gov-west-1:444455556666:workspace/ws-1 ;;
        *describe-stacks*Workspace*) echo ws-of-stack ;;
        *describe-stacks*PagerDuty*) echo "$SECRET" ;;
        *describe-rule-groups-namespace*) echo "${STATUS:-ACTIVE} a reason" ;;
        *describe-alert-manager-definition*alertManagerDefinition.status*) echo ACTIVE ;;
        *describe-alert-manager-definition*) exit 254 ;;
        *rule-groups-namespace* | *alert-manager-definition*)
          for word; do case $word in fileb://*) cat "${word#fileb://}" >>"$CALLS.data" ;; esac; done ;;
      esac
      """;

  private static final String SECRET =
      "arn:aws-us-gov:secretsmanager:us-gov-west-1:444455556666:secret:lapwing/pagerduty-Xy12Zw";

  private static int upload(Path folder, String... arguments) throws Exception {
    return upload(folder, Map.of(), arguments);
  }

  private static int upload(Path folder, Map<String, String> environment, String... arguments)
      throws Exception {
    Path aws = folder.resolve("aws");
    Files.writeString(aws, AWS);
    assertThat(aws.toFile().setExecutable(true)).isTrue();
    List<String> command =
        new ArrayList<>(
            List.of("bash", Shipped.RULES.resolve("amp").resolve("upload.sh").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().merge("PATH", folder.toString(), (path, own) -> own + ":" + path);
    builder.environment().put("CALLS", folder.resolve("calls").toString());
    builder.environment().put("SECRET", SECRET);
    builder.environment().putAll(environment);
    builder.environment().put("LAPWING_WAIT", "0");
    Process process = builder.start();
    process.getOutputStream().close();
    Files.write(folder.resolve("output"), process.getInputStream().readAllBytes());
    return process.waitFor();
  }

  private static Path rules(Path folder, String name) throws Exception {
    return Files.writeString(
        folder.resolve(name),
        """
        groups:
          - name: some
            rules:
              - alert: Some
                expr: up == 0
                annotations:
                  runbook_url: https://lapwing.example/runbooks/Some.md
                  dashboard_url: https://lapwing.example/d/lapwing-node?var-node=a
        """);
  }

  @Test
  void aNamespaceThatIsThereIsReplacedAndAnotherIsCreated(@TempDir Path folder) throws Exception {
    int status =
        upload(
            folder,
            "--workspace",
            "ws-1",
            "--region",
            "eu-west-1",
            "--runbooks",
            "https://wiki/books",
            "--dashboards",
            "https://grafana/d/",
            "--definition",
            Routing.AMP.toString(),
            rules(folder, "gpu.yml").toString(),
            rules(folder, "efa.yml").toString());

    assertThat(status).as(Files.readString(folder.resolve("output"))).isZero();
    assertThat(Files.readAllLines(folder.resolve("calls")))
        .anyMatch(call -> call.startsWith("amp put-rule-groups-namespace --name lapwing-gpu "))
        .anyMatch(call -> call.startsWith("amp create-rule-groups-namespace --name lapwing-efa "))
        .anyMatch(call -> call.startsWith("amp create-alert-manager-definition "))
        .allMatch(call -> call.contains("--workspace-id ws-1 "))
        .allMatch(call -> call.contains("--region eu-west-1"));
    assertThat(Files.readString(folder.resolve("calls.data"), StandardCharsets.UTF_8))
        .contains("runbook_url: https://wiki/books/Some.md")
        .contains("dashboard_url: https://grafana/d/lapwing-node?var-node=a")
        .doesNotContain("lapwing.example");
  }

  @ParameterizedTest
  @CsvSource({
    "CREATION_FAILED,AMP refuses lapwing-gpu: a reason",
    "CREATING,lapwing-gpu is still CREATING"
  })
  void whatAmpDoesNotTakeIsSaid(String state, String said, @TempDir Path folder) throws Exception {
    int status =
        upload(
            folder,
            Map.of("STATUS", state),
            "--workspace",
            "ws-1",
            "--runbooks",
            "https://wiki/books",
            rules(folder, "gpu.yml").toString());

    assertThat(status).isEqualTo(1);
    assertThat(Files.readString(folder.resolve("output"))).contains(said);
  }

  @Test
  void theDefinitionGetsTheWorkspacesAccountAndRegionAndNoReceiverWithoutItsSecret(
      @TempDir Path folder) throws Exception {
    JsonNode uploaded = uploaded(folder, "--workspace", "ws-1");

    assertThat(uploaded.findValuesAsText("topic_arn"))
        .hasSize(4)
        .allMatch(topic -> topic.startsWith("arn:aws-us-gov:sns:us-gov-west-1:444455556666:"));
    assertThat(uploaded.findValuesAsText("region")).containsOnly("us-gov-west-1");
    assertThat(receivers(uploaded)).contains("page").doesNotContain("pagerduty");
    assertThat(Files.readString(folder.resolve("calls"))).contains("--workspace-id ws-1");
  }

  @Test
  void aStackNamesItsWorkspaceAndTheSecretOfPagerDuty(@TempDir Path folder) throws Exception {
    JsonNode uploaded = uploaded(folder, "--stack", "lapwing");

    assertThat(uploaded.findValuesAsText("secret_arn")).containsExactly(SECRET);
    assertThat(uploaded.findValuesAsText("receiver")).contains("pagerduty").doesNotContain("page");
    assertThat(Files.readString(folder.resolve("calls"))).contains("--workspace-id ws-of-stack");
  }

  /** The configuration within the definition that was put. */
  private static JsonNode uploaded(Path folder, String... where) throws Exception {
    List<String> all = new ArrayList<>(List.of(where));
    all.addAll(List.of("--runbooks", "https://wiki/books", "--definition", Routing.AMP.toString()));
    assertThat(upload(folder, all.toArray(String[]::new)))
        .as(Files.readString(folder.resolve("output")))
        .isZero();
    String data = Files.readString(folder.resolve("calls.data"));
    Path put =
        Files.writeString(
            folder.resolve("put.yml"), data.substring(data.indexOf("# Alert manager definition")));
    return Routing.ampConfiguration(put);
  }

  private static List<String> receivers(JsonNode configuration) {
    List<String> names = new ArrayList<>();
    configuration.path("receivers").forEach(one -> names.add(one.path("name").asText()));
    return names;
  }

  @ParameterizedTest
  @CsvSource({
    "--definition, /none.yml",
    "--pagerduty, lapwing/pagerduty",
    "--pagerduty, 'arn:aws:secretsmanager:us-east-1:1:secret:a|b'",
    "--stack, lapwing"
  })
  void whatCannotBeStopsItBeforeTheFirstCall(String option, String value, @TempDir Path folder)
      throws Exception {
    String file = rules(folder, "gpu.yml").toString();
    String[] all = {"--workspace", "ws-1", "--runbooks", "https://wiki/books", option, value, file};

    assertThat(upload(folder, all)).isEqualTo(2);
    assertThat(Files.readString(folder.resolve("output"))).contains(option);
    assertThat(folder.resolve("calls")).doesNotExist();
  }

  @Test
  void aDryRunMakesNoCalls(@TempDir Path folder) throws Exception {
    int status =
        upload(
            folder,
            "--workspace",
            "ws-1",
            "--runbooks",
            "https://wiki/books",
            "--dry-run",
            rules(folder, "gpu.yml").toString());

    assertThat(status).isZero();
    assertThat(folder.resolve("calls")).doesNotExist();
    assertThat(Files.readString(folder.resolve("output"))).contains("lapwing-gpu");
  }

  @Test
  void withoutAWorkspaceItReportsAnError(@TempDir Path folder) throws Exception {
    assertThat(upload(folder, "--dry-run")).isEqualTo(2);
    assertThat(Files.readString(folder.resolve("output"))).contains("--workspace");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "https://lapwing.example/runbooks", "wiki/books", "https://a|b"})
  void runbooksMustBeSomewhere(String runbooks, @TempDir Path folder) throws Exception {
    String file = rules(folder, "gpu.yml").toString();

    assertThat(upload(folder, "--workspace", "ws-1", "--runbooks", runbooks, file)).isEqualTo(2);
    assertThat(folder.resolve("calls")).doesNotExist();
    assertThat(Files.readString(folder.resolve("output"))).contains("--runbooks");
  }

  @Test
  void theCoreSetReplacesTheDetailedOne(@TempDir Path folder) throws Exception {
    int status =
        upload(folder, "--workspace", "ws-1", "--runbooks", "https://wiki/books/", "--set", "core");

    assertThat(status).as(Files.readString(folder.resolve("output"))).isZero();
    List<String> calls = Files.readAllLines(folder.resolve("calls"));
    assertThat(calls)
        .anyMatch(call -> call.startsWith("amp create-rule-groups-namespace --name lapwing-core "))
        .anyMatch(call -> call.contains(" --name lapwing-recordings "))
        .anyMatch(call -> call.startsWith("amp delete-rule-groups-namespace --name lapwing-gpu "))
        .hasSize(6);
    assertThat(Files.readString(folder.resolve("calls.data")))
        .contains("https://wiki/books/LapwingNodeReplace.md")
        .doesNotContain("lapwing.example");
  }

  @Test
  void theDetailedSetIsTheDefaultAndTheRestIsAskedFor(@TempDir Path folder) throws Exception {
    String[] some = {"--workspace", "ws-1", "--runbooks", "file:///usr/share/doc/lapwing/runbooks"};
    assertThat(upload(folder, some)).isZero();
    String calls = Files.readString(folder.resolve("calls"));
    assertThat(calls).contains("lapwing-fleet ", "lapwing-xid ");
    assertThat(calls)
        .doesNotContain(
            "lapwing-core", "lapwing-dcgm", "lapwing-automation", "lapwing-drain", "delete");

    List<String> more = new ArrayList<>(List.of(some));
    more.addAll(List.of("--dcgm", "--automation", "--drain"));
    assertThat(upload(folder, more.toArray(String[]::new))).isZero();
    assertThat(Files.readString(folder.resolve("calls")))
        .contains("lapwing-dcgm ", "lapwing-automation ", "lapwing-drain ");
  }

  @Test
  void routesForAutomationAreNotPutWithoutTheirAlerts(@TempDir Path folder) throws Exception {
    assertThat(
            upload(
                folder,
                "--workspace",
                "ws-1",
                "--runbooks",
                "https://wiki/books",
                "--definition",
                Routing.AMP_AUTOMATED.toString()))
        .isEqualTo(2);
    assertThat(folder.resolve("calls")).doesNotExist();
    assertThat(Files.readString(folder.resolve("output"))).contains("--automation");
  }
}
