package io.lapwing.drain;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.lapwing.drain");

  @Test
  void onlyTheApplicationKnowsOptionsPagesAndMetrics() {
    noClasses()
        .that()
        .resideInAPackage("io.lapwing.drain..")
        .and()
        .resideOutsideOfPackage("io.lapwing.drain.app..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.lapwing.drain.app..",
            "io.lapwing.common.config..",
            "io.lapwing.common.web..",
            "io.prometheus..",
            "io.javalin..")
        .check(MAIN);
  }

  @Test
  void decisionsKnowNoDriver() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.lapwing.drain.remediation..",
            "io.lapwing.drain.guard..",
            "io.lapwing.drain.policy..",
            "io.lapwing.drain.jobs..",
            "io.lapwing.drain.journal..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.lapwing.drain.slurm..",
            "io.lapwing.drain.kubernetes..",
            "io.lapwing.drain.aws..",
            "io.lapwing.drain.exec..",
            "io.lapwing.drain.intake..")
        .check(MAIN);
  }
}
