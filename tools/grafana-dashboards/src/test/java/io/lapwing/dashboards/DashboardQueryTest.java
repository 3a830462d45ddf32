package io.lapwing.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.rules.Catalogue;
import io.lapwing.rules.QueryCheck;
import io.lapwing.rules.promql.Expr;
import io.lapwing.rules.promql.Promql;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries ask for what there is, in Prometheus' own grammar. */
class DashboardQueryTest {

  private static final Catalogue CATALOGUE = Catalogue.of(Repository.ROOT);

  /** Counters that a dashboard shows as they stand: how many, since a driver or an agent began. */
  private static final Set<String> ACCEPTED =
      Set.of(
          "the counter lapwing_gpu_xid_errors_total compared as it is",
          "the counter lapwing_lustre_evictions_total compared as it is",
          "the counter DCGM_FI_DEV_ECC_DBE_VOL_TOTAL compared as it is",
          "the counter DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS compared as it is",
          "the counter DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS compared as it is");

  private static final Pattern LABEL_VALUES =
      Pattern.compile("label_values\\((.*), ([A-Za-z_]+)\\)");

  private static final Pattern QUERY_RESULT = Pattern.compile("query_result\\((.*)\\)");

  @Test
  void everyNameInAQueryIsOneThatSomethingHas() {
    List<String> problems = new ArrayList<>();
    for (PanelQuery query : PanelQuery.all()) {
      new QueryCheck(CATALOGUE)
          .problems(Promql.parse(Chosen.ALL.fill(query.query().expr()))).stream()
              .filter(problem -> !ACCEPTED.contains(problem))
              .forEach(problem -> problems.add(problem + ": " + query));
    }

    assertThat(problems).isEmpty();
  }

  @Test
  void everyLabelInALegendOrAColumnIsOneThatTheQueryMayReturn() {
    List<String> problems = new ArrayList<>();
    for (PanelQuery query : PanelQuery.all()) {
      Set<String> there = CATALOGUE.labels(Promql.parse(Chosen.ALL.fill(query.query().expr())));
      Set<String> named =
          Pattern.compile("\\{\\{(\\w+)}}")
              .matcher(query.query().legend())
              .results()
              .map(found -> found.group(1))
              .collect(Collectors.toSet());
      named.stream()
          .filter(label -> !there.contains(label))
          .forEach(label -> problems.add(label + " is not in " + there + ": " + query));
    }

    assertThat(problems).isEmpty();
  }

  @Test
  void theValuesToChooseFromAreThoseOfALabelThatThereIs() {
    List<String> problems = new ArrayList<>();
    for (Dashboard dashboard : DashboardFiles.all()) {
      for (Variable variable : dashboard.variables()) {
        if (variable.kind() != Variable.Kind.QUERY) {
          continue;
        }
        String query = Chosen.ALL.fill(variable.query());
        Matcher result = QUERY_RESULT.matcher(query);
        if (result.matches()) {
          problems.addAll(new QueryCheck(CATALOGUE).problems(Promql.parse(result.group(1))));
          continue;
        }
        Matcher matcher = LABEL_VALUES.matcher(query);
        assertThat(matcher.matches()).as(query).isTrue();
        if (!CATALOGUE.labels(Promql.parse(matcher.group(1))).contains(matcher.group(2))) {
          problems.add(query);
        }
      }
    }

    assertThat(problems).isEmpty();
  }

  @Test
  void annotationsAskForWhatThereIs() {
    List<String> problems = new ArrayList<>();
    for (Dashboard dashboard : DashboardFiles.all()) {
      assertThat(dashboard.annotations()).as(dashboard.title()).hasSizeGreaterThan(5);
      for (Annotation annotation : dashboard.annotations()) {
        Expr query = Promql.parse(Chosen.ALL.fill(annotation.expr()));
        problems.addAll(new QueryCheck(CATALOGUE).problems(query));
        Pattern.compile("\\{\\{(\\w+)}}")
            .matcher(annotation.title() + annotation.text())
            .results()
            .map(found -> found.group(1))
            .filter(label -> !CATALOGUE.labels(query).contains(label))
            .forEach(label -> problems.add(annotation.name() + " has no label " + label));
      }
    }

    assertThat(problems).isEmpty();
  }

  @Test
  void everyQueryIsPrometheusOwnGrammar(@TempDir Path dir) throws Exception {
    assumeTrue(onPath("promtool"), "needs promtool (Debian: prometheus)");
    Path rules = dir.resolve("queries.yml");
    Files.writeString(rules, asRules());

    Process promtool =
        new ProcessBuilder("promtool", "check", "rules", rules.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(promtool.waitFor()).as(said).isZero();
  }

  /** Each query as the rule that records it. */
  private static String asRules() {
    StringBuilder yaml = new StringBuilder("groups:\n- name: queries\n  rules:\n");
    int number = 0;
    for (PanelQuery query : PanelQuery.all()) {
      yaml.append("  - record: query:").append(number++).append("\n    expr: >-\n      ");
      yaml.append(Chosen.ALL.fill(query.query().expr())).append('\n');
    }
    for (Dashboard dashboard : DashboardFiles.all()) {
      for (Annotation annotation : dashboard.annotations()) {
        yaml.append("  - record: query:").append(number++).append("\n    expr: >-\n      ");
        yaml.append(Chosen.ALL.fill(annotation.expr())).append('\n');
      }
    }
    return yaml.toString();
  }

  private static boolean onPath(String program) {
    return Pattern.compile(":")
        .splitAsStream(System.getenv().getOrDefault("PATH", ""))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
