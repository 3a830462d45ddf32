package io.lapwing.agent;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.lapwing.agent.cli.ConfigCheck;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.common.web.RequestMeter;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

/** The arrows that the parts of Lapwing may draw between them. */
class ArchitectureTest {

  private static final String AGENT = "io.lapwing.agent..";
  private static final String[] COLLECTORS = {
    "io.lapwing.metric..",
    "io.lapwing.collect..",
    "io.lapwing.gpu..",
    "io.lapwing.efa..",
    "io.lapwing.node..",
    "io.lapwing.lnet..",
    "io.lapwing.lustre..",
    "io.lapwing.training..",
    "io.lapwing.jobs..",
    "io.lapwing.kubelet..",
    "io.lapwing.inference..",
    "io.lapwing.nccl..",
    "io.lapwing.exposition..",
    "io.lapwing.host..",
    "io.lapwing.table..",
    "io.lapwing.nvml..",
    "io.lapwing.dcgm..",
    "io.lapwing.cuda..",
    "io.lapwing.deep..",
    "io.lapwing.linux..",
    "io.lapwing.systemd..",
    "io.lapwing.ethtool..",
    "io.lapwing.xid..",
    "io.lapwing.json..",
    "io.lapwing.http.."
  };

  /** Main code only: both modules' classes lie in target/classes or in a jar, tests do not. */
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.lapwing");

  private static void holds(ArchRule rule) {
    rule.check(MAIN);
  }

  private static ArchRule only(String[] packages, String... libraries) {
    return noClasses()
        .that()
        .resideInAPackage("io.lapwing..")
        .and()
        .resideOutsideOfPackages(packages)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(libraries);
  }

  private static String[] in(String... packages) {
    return packages;
  }

  @Test
  void onlyMetricsUseSimpleclientAndMicrometer() {
    holds(only(in("io.lapwing.agent.metrics.."), "io.prometheus..", "io.micrometer.."));
  }

  @Test
  void onlyTheWebServerUsesJavalinAndJetty() {
    holds(
        only(
            in("io.lapwing.common.web..", "io.lapwing.kubelet.."),
            "io.javalin..",
            "org.eclipse.jetty..",
            "jakarta.."));
    holds(only(in("io.lapwing.common.web.."), "io.javalin.."));
  }

  @Test
  void onlyReadersAndWritersOfDocumentsUseJackson() {
    // The simulator reads YAML too; it is no part of the agent.
    holds(
        only(
            in("io.lapwing.common.config..", "io.lapwing.json..", "io.lapwing.simulator.."),
            "com.fasterxml.jackson.."));
  }

  @Test
  void onlyPortsUseJna() {
    holds(
        only(
            in(
                "io.lapwing.nvml..",
                "io.lapwing.dcgm..",
                "io.lapwing.cuda..",
                "io.lapwing.common.process..",
                "io.lapwing.systemd..",
                "io.lapwing.ethtool..",
                "io.lapwing.linux.."),
            "com.sun.jna.."));
  }

  /** So that the agent never loads the terminal library. */
  @Test
  void onlyTopUsesTheTerminalLibrary() {
    holds(only(in("io.lapwing.agent.top.."), "org.jline.."));
    holds(
        noClasses()
            .that()
            .resideOutsideOfPackage("io.lapwing.agent.top..")
            .and()
            .doNotHaveFullyQualifiedName(Main.class.getName())
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.lapwing.agent.top.."));
  }

  @Test
  void collectorsNeverKnowTheAgent() {
    holds(
        noClasses()
            .that()
            .resideInAnyPackage(COLLECTORS)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(AGENT));
  }

  @Test
  void collectorsKnowNoPrometheusNoHttpAndNoConfigurationFile() {
    holds(
        noClasses()
            .that()
            .resideInAnyPackage(COLLECTORS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.prometheus..",
                "io.micrometer..",
                "io.javalin..",
                "java.net.http..",
                "com.fasterxml.jackson.databind..",
                "com.fasterxml.jackson.dataformat.."));
  }

  @Test
  void portsNeverSeeAMetric() {
    holds(
        noClasses()
            .that()
            .resideInAnyPackage(
                "io.lapwing.nvml..",
                "io.lapwing.dcgm..",
                "io.lapwing.cuda..",
                "io.lapwing.ethtool..",
                "io.lapwing.linux..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.lapwing.metric..",
                "io.lapwing.gpu..",
                "io.lapwing.efa..",
                "io.lapwing.lustre..",
                "io.lapwing.lnet..",
                "io.lapwing.node.."));
  }

  @Test
  void metricsKnowNothingElseOfLapwing() {
    holds(
        noClasses()
            .that()
            .resideInAPackage("io.lapwing.metric..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("io.lapwing..")
                    .and(JavaClass.Predicates.resideOutsideOfPackage("io.lapwing.metric.."))));
  }

  @Test
  void theAgentDoesNotDependOnTheSimulator() {
    holds(
        noClasses()
            .that(resideInAnyPackage(AGENT).or(resideInAnyPackage(COLLECTORS)))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.lapwing.simulator.."));
  }

  @Test
  void pollingAndScrapingNeverKnowTheWebServer() {
    holds(
        noClasses()
            .that()
            .resideInAnyPackage("io.lapwing.agent.sources..", "io.lapwing.agent.metrics..")
            .should()
            .dependOnClassesThat(
                resideInAnyPackage("io.lapwing.agent.web..", "io.lapwing.common.web..")
                    .and(not(type(RequestMeter.class)))));
  }

  @Test
  void whatIsSharedKnowsNeitherTheAgentNorACollector() {
    holds(
        noClasses()
            .that()
            .resideInAnyPackage("io.lapwing.common..", "io.lapwing.http..", "io.lapwing.systemd..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("io.lapwing..")
                    .and(
                        JavaClass.Predicates.resideOutsideOfPackages(
                            "io.lapwing.common..", "io.lapwing.http..", "io.lapwing.systemd.."))));
  }

  @Test
  void serviceNotificationsNeverWaitForADevice() {
    holds(
        noClasses()
            .that()
            .resideInAPackage("io.lapwing.common.process..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("io.lapwing..")
                    .and(
                        JavaClass.Predicates.resideOutsideOfPackages(
                            "io.lapwing.common.process..",
                            "io.lapwing.common.log..",
                            "io.lapwing.systemd.."))));
  }

  @Test
  void theHealthModelAndItsRulesSeeNoDevicesAndNoSources() {
    holds(
        noClasses()
            .that()
            .resideInAnyPackage("io.lapwing.agent.health", "io.lapwing.agent.health.rules..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("io.lapwing..")
                    .and(
                        JavaClass.Predicates.resideOutsideOfPackages(
                            "io.lapwing.agent.health",
                            "io.lapwing.agent.health.rules..",
                            "io.lapwing.agent.events..",
                            "io.lapwing.metric..",
                            "io.lapwing.gpu..",
                            "io.lapwing.efa..",
                            "io.lapwing.node..",
                            "io.lapwing.lnet..",
                            "io.lapwing.lustre..",
                            "io.lapwing.training..",
                            "io.lapwing.nccl..",
                            "io.lapwing.jobs..",
                            "io.lapwing.host..",
                            "io.lapwing.deep..",
                            "io.lapwing.xid.."))));
  }

  @Test
  void theHealthEngineReadsSourcesButServesNoPage() {
    holds(
        noClasses()
            .that()
            .resideInAPackage("io.lapwing.agent.health.engine..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.lapwing.agent.metrics..", "io.lapwing.agent.web..", "io.lapwing.agent.cli.."));
  }

  @Test
  void sourcesDoNotDependOnHealth() {
    holds(
        noClasses()
            .that()
            .resideInAPackage("io.lapwing.agent.sources..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.lapwing.agent.health.."));
  }

  @Test
  void commandsReadNoSources() {
    // --check-config reads the field file; a replay and a local check need the clock.
    holds(
        noClasses()
            .that()
            .resideInAnyPackage("io.lapwing.agent.cli..", "io.lapwing.agent.replay..")
            .and(not(type(ConfigCheck.class)))
            .should()
            .dependOnClassesThat(
                resideInAnyPackage("io.lapwing.agent.sources..", "io.lapwing.agent.metrics..")
                    .and(not(type(PollClock.class)))));
  }

  @Test
  void onlyMainAndAgentPrintToStandardOutput() {
    holds(
        noClasses()
            .that()
            .resideInAnyPackage(AGENT, "io.lapwing.common..")
            .or()
            .resideInAnyPackage(COLLECTORS)
            .and()
            .doNotHaveFullyQualifiedName(Main.class.getName())
            .and()
            .doNotHaveFullyQualifiedName(Agent.class.getName())
            .should()
            .accessField(System.class, "out"));
  }

  @Test
  void aStackTraceIsNeverPrintedPastTheLog() {
    holds(
        noClasses()
            .that()
            .resideInAnyPackage(AGENT, "io.lapwing.common..")
            .or()
            .resideInAnyPackage(COLLECTORS)
            .should()
            .callMethod(Throwable.class, "printStackTrace")
            .orShould()
            .callMethod(Throwable.class, "printStackTrace", PrintStream.class));
  }

  @Test
  void classesOfBothModulesAreChecked() {
    assertThat(MAIN)
        .extracting(JavaClass::getFullName)
        .contains(Wiring.class.getName(), "io.lapwing.gpu.GpuSource")
        .doesNotContain(ArchitectureTest.class.getName());
  }
}
