package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.lapwing.rules.promql.Promql;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Amazon Managed Service for Prometheus takes; docs/deploy-amp.md names each limit's source.
 */
class AmpTest {

  private static final int MEBIBYTE = 1 << 20;
  private static final int ACTIVE_ALERTS = 1_000;
  private static final int GROUPS = 100;
  private static final int NAMESPACES = 10;
  private static final int INHIBITIONS = 100;
  private static final int ROUTES = 100;
  private static final int TEMPLATES = 100;
  private static final Duration LONGEST_REPEAT = Duration.ofDays(5);

  private static final Program AMTOOL = new Program("amtool");
  private static final Path SAMPLE = Path.of("src", "test", "resources", "alerts", "two.json");
  private static final Path STACK = Shipped.RULES.resolve("amp").resolve("cloudformation.yml");
  private static final Path SCHEMA =
      Shipped.RULES.resolve("amp").resolve("sns-message.schema.json");

  @Test
  void theRulesFitIntoAWorkspace() throws Exception {
    assertThat(Shipped.sets())
        .allSatisfy(set -> assertThat(set.groups()).hasSizeLessThanOrEqualTo(GROUPS));
    assertThat(RuleFiles.paths(Shipped.RULES).size() + RuleFiles.paths(Shipped.DCGM).size())
        .isLessThanOrEqualTo(NAMESPACES);
    for (Path namespace : Shipped.files()) {
      assertThat(Files.size(namespace)).as(namespace.toString()).isLessThan(MEBIBYTE);
    }
  }

  @Test
  void theDefinitionFitsIntoAWorkspace() throws Exception {
    JsonNode configuration = Routing.ampConfiguration();

    assertThat(Files.size(Routing.AMP)).isLessThan(MEBIBYTE);
    assertThat(configuration.path("inhibit_rules").size()).isLessThanOrEqualTo(INHIBITIONS);
    assertThat(configuration.findValues("receiver").size()).isLessThanOrEqualTo(ROUTES);
    assertThat(Routing.amp().path("template_files").size()).isBetween(1, TEMPLATES);
    assertThat(configuration.findValuesAsText("repeat_interval"))
        .isNotEmpty()
        .allSatisfy(
            interval -> assertThat(Promql.duration(interval)).isLessThanOrEqualTo(LONGEST_REPEAT));
  }

  /** docs/deploy-amp.md does the sum for fleets. */
  @Test
  void tenNodesWithEveryAlertAtOnceAreNotTooMany() {
    Catalogue catalogue = Catalogue.of(Shipped.ROOT);
    long ofANode =
        Shipped.rules().alerts().stream()
            .filter(alert -> catalogue.labels(alert.query()).contains("instance"))
            .map(Rule::name)
            .distinct()
            .count();

    assertThat(10 * ofANode).isLessThan(ACTIVE_ALERTS);
  }

  @Test
  void policiesAllowNothingElse() throws Exception {
    JsonNode stack = new YAMLMapper().readTree(STACK.toFile()).path("Resources");
    List<JsonNode> statements =
        stack.findValues("Statement").stream()
            .flatMap(list -> StreamSupport.stream(list.spliterator(), false))
            .filter(statement -> !statement.path("Sid").asText().equals("AccountAdministers"))
            .toList();

    assertThat(statements).hasSizeGreaterThan(10);
    for (JsonNode statement : statements) {
      assertThat(statement.path("Effect").asText()).isEqualTo("Allow");
      assertThat(statement.path("Action").isArray()).as(statement.toString()).isTrue();
      assertThat(statement.path("Action").toString()).doesNotContain("*");
      // A service that acts on our topics and secrets does it for this account; pods by their
      // association.
      assertThat(statement.at("/Condition/StringEquals").has("aws:SourceAccount"))
          .as(statement.toString())
          .isEqualTo(
              statement.has("Principal")
                  && !statement.at("/Principal/Service").asText().startsWith("pods."));
    }
  }

  @Test
  void theStackHasTheTopicsOfTheDefinition() throws Exception {
    List<String> topics = new YAMLMapper().readTree(STACK.toFile()).findValuesAsText("TopicName");

    for (String arn : Routing.ampConfiguration().findValuesAsText("topic_arn")) {
      assertThat(topics).contains(arn.substring(arn.lastIndexOf(':') + 1));
    }
  }

  @Test
  void onlyWhatAmpKnowsReceives() throws Exception {
    for (JsonNode receiver : Routing.ampConfiguration().path("receivers")) {
      List<String> kinds = new ArrayList<>();
      receiver.fieldNames().forEachRemaining(kinds::add);
      kinds.remove("name");
      assertThat(Set.of("sns_configs", "pagerduty_configs")).containsAll(kinds);
      for (JsonNode sns : receiver.path("sns_configs")) {
        assertThat(sns.path("sigv4").path("region").asText()).isNotEmpty();
        assertThat(sns.has("api_url") || sns.has("http_config")).isFalse();
      }
      for (JsonNode pager : receiver.path("pagerduty_configs")) {
        assertThat(pager.at("/routing_key/aws_secrets_manager/secret_arn").asText())
            .startsWith("arn:aws:secretsmanager:");
      }
    }
  }

  @Test
  void alertmanagerTakesTheDefinitionToo(@TempDir Path folder) throws Exception {
    for (Path definition : List.of(Routing.AMP, Routing.AMP_AUTOMATED)) {
      AMTOOL.run(List.of("check-config", Routing.unpack(definition, folder).toString()));
    }
  }

  @Test
  void whatSnsIsSentIsJsonByTheSchema(@TempDir Path folder) throws Exception {
    JsonNode message = JsonMapper.builder().build().readTree(rendered(folder, "message"));

    assertThat(schema().validate(message)).isEmpty();
    JsonNode first = message.path("alerts").path(0);
    assertThat(first.at("/labels/instance").asText()).isEqualTo("gpu-node-17");
    assertThat(first.at("/annotations/description").asText())
        .contains("XID 79,\n\"fallen off the bus\" – C:\\temp & <b>.");
    assertThat(first.has("endsAt")).isFalse();
    assertThat(message.at("/alerts/1/endsAt").asText()).isEqualTo("2029-01-21T08:30:00Z");
  }

  @Test
  void theSchemaRefusesAnAlertWithoutItsAction() throws Exception {
    JsonNode message =
        JsonMapper.builder()
            .build()
            .readTree(
                """
                {"version":"1","source":"lapwing","status":"firing","receiver":"r","groupLabels":{},"alerts":[
                {"status":"firing","labels":{"alertname":"a","severity":"critical","scope":"gpu"},
                "annotations":{"summary":"s","description":"d","runbook_url":"u"},
                "startsAt":"2029-01-21T09:00:43Z","fingerprint":"0123456789abcdef"}]}
                """);

    assertThat(schema().validate(message)).singleElement().asString().contains("action");
  }

  @Test
  void theSchemaKnowsTheActionsOfTheRules() throws Exception {
    JsonNode actions =
        JsonMapper.builder()
            .build()
            .readTree(SCHEMA.toFile())
            .at("/$defs/alert/properties/labels/properties/action/enum");
    Set<String> named = new TreeSet<>();
    actions.forEach(action -> named.add(action.asText()));

    assertThat(named).isEqualTo(RuleLint.LABELS.get("action"));
  }

  @Test
  void aSubjectIsShortAndPlain(@TempDir Path folder) throws Exception {
    String subject = rendered(folder, "subject").strip();

    assertThat(subject).isEqualTo("[FIRING] 2 alerts on gpu-node-17");
    assertThat(subject.getBytes(StandardCharsets.US_ASCII)).hasSizeLessThanOrEqualTo(100);
  }

  @Test
  void aMailIsText(@TempDir Path folder) throws Exception {
    assertThat(template(folder, "lapwing.text"))
        .contains("XID 79")
        .contains("Runbook: ")
        .contains(" firing, ")
        .doesNotContain("{");
  }

  private static String rendered(Path folder, String what) throws Exception {
    return template(folder, "sns.default." + what);
  }

  private static String template(Path folder, String name) throws Exception {
    Routing.unpack(folder);
    return AMTOOL.run(
        List.of(
            "template",
            "render",
            "--template.glob=" + folder.resolve("lapwing.tmpl"),
            "--template.text={{ template \"" + name + "\" . }}",
            "--template.data=" + SAMPLE));
  }

  private static JsonSchema schema() throws Exception {
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
        .getSchema(Files.readString(SCHEMA));
  }
}
