package io.lapwing;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.lapwing.collect.Reading;
import org.junit.jupiter.api.Test;

/**
 * The arrows between the packages of this module: subjects to ports and collect, these to metric.
 */
class ArchitectureTest {

  private static final String METRIC = "io.lapwing.metric..";
  private static final String COLLECT = "io.lapwing.collect..";
  private static final String NVML = "io.lapwing.nvml..";
  private static final String DCGM = "io.lapwing.dcgm..";
  private static final String LINUX = "io.lapwing.linux..";
  private static final String GPU = "io.lapwing.gpu..";
  private static final String EFA = "io.lapwing.efa..";
  private static final String NODE = "io.lapwing.node..";
  private static final String LNET = "io.lapwing.lnet..";
  private static final String LUSTRE = "io.lapwing.lustre..";
  private static final String TRAINING = "io.lapwing.training..";
  private static final String JOBS = "io.lapwing.jobs..";
  private static final String INFERENCE = "io.lapwing.inference..";
  private static final String NCCL = "io.lapwing.nccl..";
  private static final String EXPOSITION = "io.lapwing.exposition..";
  private static final String HOST = "io.lapwing.host..";
  private static final String KUBELET = "io.lapwing.kubelet..";
  private static final String XID = "io.lapwing.xid..";
  private static final String TABLE = "io.lapwing.table..";
  private static final String SYSTEMD = "io.lapwing.systemd..";
  private static final String CUDA = "io.lapwing.cuda..";
  private static final String ETHTOOL = "io.lapwing.ethtool..";
  private static final String JSON = "io.lapwing.json..";
  private static final String HTTP = "io.lapwing.http..";

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(
              "io.lapwing.metric",
              "io.lapwing.collect",
              "io.lapwing.nvml",
              "io.lapwing.dcgm",
              "io.lapwing.linux",
              "io.lapwing.gpu",
              "io.lapwing.efa",
              "io.lapwing.node",
              "io.lapwing.lnet",
              "io.lapwing.lustre",
              "io.lapwing.training",
              "io.lapwing.jobs",
              "io.lapwing.inference",
              "io.lapwing.nccl",
              "io.lapwing.exposition",
              "io.lapwing.host",
              "io.lapwing.kubelet",
              "io.lapwing.xid",
              "io.lapwing.table",
              "io.lapwing.systemd",
              "io.lapwing.cuda",
              "io.lapwing.ethtool",
              "io.lapwing.json",
              "io.lapwing.http");

  /** Lapwing's classes outside of some packages. */
  private static DescribedPredicate<JavaClass> oursOutside(String... packages) {
    return resideInAnyPackage("io.lapwing..").and(resideOutsideOfPackages(packages));
  }

  private static DescribedPredicate<JavaClass> reading() {
    return DescribedPredicate.describe(
        "Reading and its kinds",
        type ->
            type.isEquivalentTo(Reading.class)
                || type.getEnclosingClass()
                    .filter(outer -> outer.isEquivalentTo(Reading.class))
                    .isPresent());
  }

  @Test
  void metricDependsOnNothingElse() {
    noClasses()
        .that()
        .resideInAPackage(METRIC)
        .should()
        .dependOnClassesThat(oursOutside(METRIC))
        .check(ALL);
  }

  @Test
  void collectDependsOnlyOnMetric() {
    noClasses()
        .that()
        .resideInAPackage(COLLECT)
        .should()
        .dependOnClassesThat(oursOutside(COLLECT, METRIC))
        .check(ALL);
  }

  /** {@code linux} reads journal entries, which are JSON. */
  @Test
  void portsDependOnReadingOnlyAndNeverOnMetric() {
    noClasses()
        .that()
        .resideInAPackage(NVML)
        .should()
        .dependOnClassesThat(oursOutside(NVML).and(DescribedPredicate.not(reading())))
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(DCGM)
        .should()
        .dependOnClassesThat(oursOutside(DCGM).and(DescribedPredicate.not(reading())))
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(LINUX)
        .should()
        .dependOnClassesThat(oursOutside(LINUX, JSON).and(DescribedPredicate.not(reading())))
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(SYSTEMD)
        .should()
        .dependOnClassesThat(oursOutside(SYSTEMD))
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(ETHTOOL)
        .should()
        .dependOnClassesThat(oursOutside(ETHTOOL).and(DescribedPredicate.not(reading())))
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(JSON)
        .should()
        .dependOnClassesThat(oursOutside(JSON))
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(HTTP)
        .should()
        .dependOnClassesThat(oursOutside(HTTP))
        .allowEmptyShould(true)
        .check(ALL);
  }

  @Test
  void subjectsDependOnPortsCollectAndMetricNotOnEachOther() {
    noClasses()
        .that()
        .resideInAPackage(GPU)
        .should()
        .dependOnClassesThat(oursOutside(GPU, NVML, DCGM, LINUX, COLLECT, METRIC, TABLE))
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(NODE)
        .should()
        .dependOnClassesThat(oursOutside(NODE, LINUX, HTTP, JSON, COLLECT, METRIC, TABLE))
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(EFA)
        .should()
        .dependOnClassesThat(oursOutside(EFA, LINUX, COLLECT, METRIC))
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(LNET)
        .should()
        .dependOnClassesThat(oursOutside(LNET, LINUX, COLLECT, METRIC))
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(LUSTRE)
        .should()
        .dependOnClassesThat(oursOutside(LUSTRE, LINUX, COLLECT, METRIC))
        .check(ALL);
  }

  @Test
  void workloadPackagesDoNotDependOnEachOther() {
    noClasses()
        .that()
        .resideInAPackage(TRAINING)
        .should()
        .dependOnClassesThat(oursOutside(TRAINING, LINUX, COLLECT, METRIC))
        .allowEmptyShould(true)
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(JOBS)
        .should()
        .dependOnClassesThat(oursOutside(JOBS, KUBELET, LINUX, JSON, COLLECT, METRIC))
        .allowEmptyShould(true)
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(HOST)
        .should()
        .dependOnClassesThat(oursOutside(HOST, LINUX, ETHTOOL, COLLECT, METRIC))
        .allowEmptyShould(true)
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(INFERENCE)
        .should()
        .dependOnClassesThat(oursOutside(INFERENCE, EXPOSITION, HTTP, LINUX, COLLECT, METRIC))
        .allowEmptyShould(true)
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(NCCL)
        .should()
        .dependOnClassesThat(oursOutside(NCCL, EXPOSITION, JSON, LINUX, COLLECT, METRIC))
        .allowEmptyShould(true)
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(EXPOSITION)
        .should()
        .dependOnClassesThat(oursOutside(EXPOSITION))
        .allowEmptyShould(true)
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(KUBELET)
        .should()
        .dependOnClassesThat(oursOutside(KUBELET).and(DescribedPredicate.not(reading())))
        .allowEmptyShould(true)
        .check(ALL);
  }

  @Test
  void xidsDependOnTheKernelLogAndTables() {
    noClasses()
        .that()
        .resideInAPackage(XID)
        .should()
        .dependOnClassesThat(oursOutside(XID, LINUX, TABLE))
        .check(ALL);
  }

  @Test
  void tablesDependOnNothingElse() {
    noClasses()
        .that()
        .resideInAPackage(TABLE)
        .should()
        .dependOnClassesThat(oursOutside(TABLE))
        .check(ALL);
  }

  @Test
  void xidDependsOnlyOnTheJdkAndShippedTables() {
    classes()
        .that()
        .resideInAPackage(XID)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "org.jspecify..", XID, TABLE)
        .check(ALL);
  }

  @Test
  void onlyPortsCallNativeCode() {
    noClasses()
        .that()
        .resideOutsideOfPackages(NVML, DCGM, CUDA, SYSTEMD, ETHTOOL, LINUX)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.sun.jna..")
        .check(ALL);
  }

  @Test
  void onlyReadersOfDocumentsParseJson() {
    noClasses()
        .that()
        .resideOutsideOfPackages(JSON)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.fasterxml.jackson.core..")
        .check(ALL);
  }

  @Test
  void nothingDependsOnHttpPrometheusOrConfigurationFiles() {
    classes()
        .that()
        .resideOutsideOfPackage(KUBELET)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.net.ssl..",
            "com.sun.jna..",
            "com.fasterxml.jackson.core..",
            "org.jspecify..",
            METRIC,
            COLLECT,
            NVML,
            DCGM,
            LINUX,
            GPU,
            EFA,
            NODE,
            LNET,
            LUSTRE,
            TRAINING,
            JOBS,
            KUBELET,
            INFERENCE,
            NCCL,
            EXPOSITION,
            HOST,
            SYSTEMD,
            CUDA,
            ETHTOOL,
            JSON,
            HTTP,
            XID,
            TABLE)
        .check(ALL);
  }

  @Test
  void noPackageDependsOnItselfThroughAnother() {
    slices().matching("io.lapwing.(*)..").should().beFreeOfCycles().check(ALL);
  }

  @Test
  void nothingIsPrintedAndNothingLogged() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(ALL);
    NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.check(ALL);
  }
}
