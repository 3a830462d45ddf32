package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricType;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class FieldFileTest {

  private static final String FILE = "fields.csv";

  private static FieldFile parse(String... lines) throws FieldFile.Malformed {
    return FieldFile.parse(FILE, List.of(lines));
  }

  private static List<String> problems(String... lines) {
    try {
      FieldFile parsed = parse(lines);
      throw new AssertionError("no problem in " + parsed);
    } catch (FieldFile.Malformed malformed) {
      assertThat(malformed).hasMessage(String.join("\n", malformed.problems()));
      return malformed.problems();
    }
  }

  private static Optional<Metric> shown(FieldFile file, Metric metric) {
    return Optional.ofNullable(file.selection().shown(metric));
  }

  @Test
  void aFileOfDcgmExporterSelectsWhatItNames() throws FieldFile.Malformed {
    FieldFile file =
        parse(
            "# Format",
            "# If line starts with a '#' it is considered a comment",
            "",
            "DCGM_FI_DEV_SM_CLOCK,  gauge, SM clock frequency (in MHz).",
            "DCGM_FI_DEV_DEC_UTIL ,     gauge, Decoder utilization (in %).",
            "   # DCGM_FI_DEV_GPU_TEMP, gauge, indented comment",
            "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION, counter, Energy (in mJ).",
            "DCGM_FI_DRIVER_VERSION,        label, Driver Version",
            "DCGM_FI_DEV_FAN_SPEED, gauge, Fan speed");
    assertThat(shown(file, DcgmMetrics.SM_CLOCK))
        .contains(
            new Metric(
                "DCGM_FI_DEV_SM_CLOCK",
                MetricType.GAUGE,
                "SM clock frequency (in MHz).",
                DcgmMetrics.LABELS));
    assertThat(shown(file, DcgmMetrics.DEC_UTIL)).isPresent();
    assertThat(shown(file, DcgmMetrics.TOTAL_ENERGY_CONSUMPTION))
        .hasValueSatisfying(metric -> assertThat(metric.type()).isEqualTo(MetricType.COUNTER));
    assertThat(shown(file, DcgmMetrics.GPU_TEMP)).isEmpty();
    assertThat(shown(file, GpuMetrics.NVLINKS)).contains(GpuMetrics.NVLINKS);
    assertThat(file.labels()).containsExactly(LabelField.DRIVER_VERSION);
    assertThat(file.unavailable())
        .singleElement()
        .asString()
        .startsWith("fields.csv:9: DCGM_FI_DEV_FAN_SPEED is not exposed: ");
  }

  @Test
  void theTypeOfTheLineIsTheTypeOnThePage() throws FieldFile.Malformed {
    assertThat(shown(parse("DCGM_FI_DEV_GPU_TEMP,counter,odd"), DcgmMetrics.GPU_TEMP))
        .map(Metric::type)
        .contains(MetricType.COUNTER);
  }

  @Test
  void aHelpWithACommaGoesInQuotesAndAnEmptyOneIsTheCatalogues() throws FieldFile.Malformed {
    FieldFile file =
        parse(
            "DCGM_FI_DEV_GPU_TEMP,gauge,\"hot, or \"\"not\"\"\"",
            "DCGM_FI_DEV_FB_USED,gauge,",
            "\"DCGM_FI_DEV_FB_FREE\" , \"gauge\" , \" free \"");
    assertThat(shown(file, DcgmMetrics.GPU_TEMP)).map(Metric::help).contains("hot, or \"not\"");
    assertThat(shown(file, DcgmMetrics.FB_USED)).contains(DcgmMetrics.FB_USED);
    assertThat(shown(file, DcgmMetrics.FB_FREE)).map(Metric::help).contains("free");
  }

  @Test
  void theNamesOfDcgm46AreAcceptedAndTheClassicOnesShown() throws FieldFile.Malformed {
    FieldFile file =
        parse(
            "DCGM_FI_PROF_SM_UTIL_RATIO,gauge,SM",
            "DCGM_FI_DEV_GPU_RECOVERY_ACTION,gauge,action",
            "DCGM_FI_SYSTEM_DRIVER_VERSION,label,driver");
    assertThat(shown(file, DcgmMetrics.PROF_SM_ACTIVE))
        .map(Metric::name)
        .contains("DCGM_FI_PROF_SM_ACTIVE");
    assertThat(shown(file, DcgmMetrics.GET_GPU_RECOVERY_ACTION)).isPresent();
    assertThat(file.labels()).containsExactly(LabelField.DRIVER_VERSION);
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstName() throws FieldFile.Malformed {
    FieldFile file = parse("\uFEFFDCGM_FI_DEV_GPU_TEMP,gauge,x");
    assertThat(shown(file, DcgmMetrics.GPU_TEMP)).isPresent();
    assertThat(file.unavailable()).isEmpty();
  }

  @Test
  void theNameOfDcgm3IsAcceptedToo() throws FieldFile.Malformed {
    FieldFile file = parse("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS,gauge,x");
    assertThat(shown(file, DcgmMetrics.CLOCKS_EVENT_REASONS)).isPresent();
    assertThat(file.unavailable()).isEmpty();
  }

  @Test
  void linesThatContradictEachOtherAreNamedAndTheLastCounts() throws FieldFile.Malformed {
    FieldFile file =
        parse(
            "DCGM_FI_PROF_PCIE_TX_BYTES, counter, Bytes.",
            "DCGM_FI_DEV_GPU_TEMP, gauge, Core.",
            "DCGM_FI_PROF_PCIE_TX_BYTES, gauge, Bytes per second.",
            "DCGM_FI_DEV_GPU_TEMP, gauge, Core.");
    assertThat(file.contradictions())
        .containsExactly(
            FILE
                + ":3: DCGM_FI_PROF_PCIE_TX_BYTES has another type or help in line 1; line 3"
                + " counts");
    assertThat(shown(file, DcgmMetrics.PROF_PCIE_TX_BYTES).orElseThrow().type())
        .isEqualTo(MetricType.GAUGE);
  }

  @Test
  void aLabelNamedTwiceIsOneLabel() throws FieldFile.Malformed {
    assertThat(
            parse(
                    "DCGM_FI_DRIVER_VERSION,label,a",
                    "DCGM_FI_DEV_SERIAL,label,b",
                    "DCGM_FI_SYSTEM_DRIVER_VERSION,label,c")
                .labels())
        .containsExactly(LabelField.DRIVER_VERSION, LabelField.SERIAL);
  }

  @Test
  void aTypoIsNamedWithItsLineAndWhatMayBeMeant() throws FieldFile.Malformed {
    assertThat(
            parse("", "DCGM_FI_DEV_GPU_TEPM,gauge,x", "DCGM_FI_DEV_GPU_UTIL,gauge,x").unavailable())
        .containsExactly(
            "fields.csv:2: DCGM_FI_DEV_GPU_TEPM is not a DCGM field that Lapwing knows; did you"
                + " mean DCGM_FI_DEV_GPU_TEMP?");
    assertThat(parse("DCG_FI_DEV_GPU_TEMP,gauge,x", "DCGM_FI_DEV_GPU_UTIL,gauge,x").unavailable())
        .containsExactly(
            "fields.csv:1: DCG_FI_DEV_GPU_TEMP is not a DCGM field that Lapwing knows; did you mean"
                + " DCGM_FI_DEV_GPU_TEMP?");
  }

  @Test
  void aNameUnlikeAnyOtherGetsNoSuggestionAndAFileOfNoFieldIsAnError() {
    assertThat(problems("temperature,gauge,x"))
        .containsExactly("fields.csv:1: temperature is not a DCGM field that Lapwing knows");
  }

  @Test
  void aFieldOfAnotherDcgmCostsItselfOnly() throws FieldFile.Malformed {
    FieldFile file =
        parse(
            "dcgm_sm_clock,gauge,x",
            "DCGM_FI_SOMETHING_ENTIRELY_NEW_OF_2031,gauge,x",
            "DCGM_FI_PROF_NVDEC1_ACTIVE,gauge,x",
            "DCGM_FI_DEV_GPU_NVLINK_ERRORS,gauge,x",
            "DCGM_FI_DEV_GPU_TEMP,gauge,x");
    assertThat(file.unavailable())
        .containsExactly(
            "fields.csv:1: dcgm_sm_clock is not a DCGM field that Lapwing knows",
            "fields.csv:2: DCGM_FI_SOMETHING_ENTIRELY_NEW_OF_2031 is not a DCGM field that Lapwing"
                + " knows",
            "fields.csv:3: DCGM_FI_PROF_NVDEC1_ACTIVE is not a DCGM field that Lapwing knows; did"
                + " you mean DCGM_FI_PROF_NVDEC0_ACTIVE?",
            "fields.csv:4: DCGM_FI_DEV_GPU_NVLINK_ERRORS is not exposed: an event of DCGM's; see"
                + " lapwing_gpu_nvlink_errors_total");
  }

  @Test
  void anInvalidTypeIsReported() {
    assertThat(problems("DCGM_FI_DEV_GPU_TEMP,guage,x"))
        .containsExactly("fields.csv:1: 'guage' is not a type: gauge, counter or label");
  }

  @Test
  void aTypeThatTheExporterAcceptsAndLapwingLacksCostsTheFieldOnly() throws Exception {
    FieldFile file =
        parse(
            "DCGM_FI_DRIVER_VERSION,gauge,x",
            "DCGM_FI_DEV_GPU_TEMP,label,x",
            "DCGM_FI_DEV_MEMORY_TEMP,histogram,x");
    assertThat(file.unavailable())
        .containsExactly(
            "fields.csv:1: DCGM_FI_DRIVER_VERSION is a text: its type is label; not exposed",
            "fields.csv:2: DCGM_FI_DEV_GPU_TEMP is a number: its type is gauge or counter; not"
                + " exposed",
            "fields.csv:3: DCGM_FI_DEV_MEMORY_TEMP is not exposed: it has no histogram");
  }

  @Test
  void missingAndSurplusColumnsAreNamed() {
    assertThat(problems("DCGM_FI_DEV_GPU_TEMP,gauge", "DCGM_FI_DEV_GPU_TEMP,gauge,a,b"))
        .hasSize(2)
        .allMatch(problem -> problem.contains("expected field, type and help"))
        .first()
        .asString()
        .startsWith("fields.csv:1: ")
        .contains("found 2 values");
  }

  @Test
  void aQuoteThatIsNotClosedIsNamed() {
    assertThat(problems("DCGM_FI_DEV_GPU_TEMP,gauge,\"hot"))
        .containsExactly("fields.csv:1: a quote is opened and not closed");
  }

  @Test
  void allProblemsAreReportedAtOnce() {
    String mistyped = "DCGM_FI_DEV_GPU_TEMP,x,";
    assertThat(problems("a", "# fine", "DCGM_FI_DEV_GPU_TEMP", "\"", mistyped))
        .extracting(problem -> problem.substring(0, problem.indexOf(' ')))
        .containsExactly("fields.csv:1:", "fields.csv:3:", "fields.csv:4:", "fields.csv:5:");
  }

  @Test
  void anEmptyFileShowsNoForeignFamily() throws FieldFile.Malformed {
    FieldFile file = parse();
    assertThat(shown(file, DcgmMetrics.GPU_TEMP)).isEmpty();
    assertThat(GpuView.FieldSelection.ALL.shown(DcgmMetrics.GPU_TEMP))
        .isEqualTo(DcgmMetrics.GPU_TEMP);
  }

  @Property(tries = 300)
  void anyTextIsReadOrRejected(@ForAll List<String> lines) {
    try {
      assertThat(FieldFile.parse(FILE, lines).unavailable()).isNotNull();
    } catch (FieldFile.Malformed malformed) {
      assertThat(malformed.problems()).isNotEmpty().allMatch(line -> line.startsWith(FILE + ":"));
    }
  }

  @Provide
  Arbitrary<String> nearlyRight() {
    List<String> names =
        DcgmFields.load().all().stream()
            .flatMap(field -> Stream.of(field.name(), field.newName()))
            .toList();
    Arbitrary<String> name = Arbitraries.of(names);
    Arbitrary<String> type = Arbitraries.of("gauge", "counter", "label", "Gauge", "");
    Arbitrary<String> help = Arbitraries.of("help", "", "a \"quote", "with, comma", "\"a, b\"");
    Arbitrary<String> start = Arbitraries.of("", "", "", " ", "# ", "X");
    return Combinators.combine(start, name, type, help)
        .as((before, field, kind, words) -> before + field + "," + kind + "," + words);
  }

  /** Each line by itself selects, labels, is unavailable or is a problem. */
  @Property(tries = 1000)
  void noLineIsDroppedSilently(@ForAll("nearlyRight") String line) {
    assertThat(outcome(line)).isEqualTo(line.startsWith("#") ? 0 : 1);
  }

  /** In how many ways a line has an effect. */
  private static int outcome(String line) {
    try {
      FieldFile file = parse(line);
      return families(file) + file.labels().size() + file.unavailable().size();
    } catch (FieldFile.Malformed malformed) {
      return malformed.problems().size();
    }
  }

  private static int families(FieldFile file) {
    return (int)
        io.lapwing.metric.MetricCatalogue.of(DcgmMetrics.class).metrics().stream()
            .filter(metric -> shown(file, metric).isPresent())
            .count();
  }

  /** With dcgm-exporter's own files, where a folder beside the repository has them. */
  @Test
  void everyLineOfTheRecordedFilesIsSupportedOrReported() throws IOException, FieldFile.Malformed {
    List<Path> recorded = recordedFiles();
    Assumptions.assumeFalse(
        recorded.isEmpty(), "no recorded/dcgm-exporter/*.csv in a folder beside the repository");
    for (Path file : recorded) {
      List<String> rows =
          Files.readAllLines(file).stream()
              .map(line -> line.replaceFirst("^# (?=DCGM_\\w+,)", ""))
              .filter(line -> line.startsWith("DCGM_"))
              .toList();
      assertThat(rows).hasSizeGreaterThan(40);
      assertThat(FieldFile.parse(FILE, rows).unavailable()).allMatch(line -> line.contains(": "));
      assertThat(IntStream.range(0, rows.size()))
          .allSatisfy(i -> assertThat(outcome(rows.get(i))).as(rows.get(i)).isEqualTo(1));
    }
  }

  private static List<Path> recordedFiles() throws IOException {
    List<Path> files = new ArrayList<>();
    Path besides = Path.of("").toAbsolutePath().resolve("../..").normalize();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(besides, Files::isDirectory)) {
      for (Path folder : folders) {
        Path recorded = folder.resolve("recorded/dcgm-exporter");
        if (Files.isDirectory(recorded)) {
          try (DirectoryStream<Path> csv = Files.newDirectoryStream(recorded, "*.csv")) {
            csv.forEach(files::add);
          }
        }
      }
    }
    return files;
  }

  @Test
  void theProblemsOfAMalformedFileCannotBeChanged() {
    assertThatThrownBy(() -> problems("x").add("y"))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
