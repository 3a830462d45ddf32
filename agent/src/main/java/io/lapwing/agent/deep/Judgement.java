package io.lapwing.agent.deep;

import io.lapwing.collect.Reading;
import io.lapwing.common.config.ConfigException;
import io.lapwing.deep.DeepResult.DeepTest;
import io.lapwing.deep.DeepResult.GpuResult;
import io.lapwing.deep.DeepResult.Outcome;
import io.lapwing.deep.DeepResult.TestResult;
import io.lapwing.linux.SmallFile;
import io.lapwing.table.CsvTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Compares each figure with the median of the node's GPUs of the same model, with the site's
 * baseline, and with the peak of the model in {@code deep-peaks.csv}.
 */
record Judgement(List<Expected> expected) {

  private static final double OF_SIBLINGS = 0.9;
  private static final double OF_BASELINE = 0.9;

  /** Half of a data sheet's peak: healthy GPUs reach more with any driver. */
  private static final double OF_PEAK = 0.5;

  private static final int MAX_BASELINE = 64 * 1024;
  private static final List<String> COLUMNS = List.of("model", "test", "per_second");

  Judgement {
    expected = List.copyOf(expected);
  }

  /** At least this much from GPUs of a model; {@code source} is for the message. */
  record Expected(String model, DeepTest test, double atLeast, String source) {}

  /** With the table of peaks, and the site's file if there is one. */
  static Judgement load(Optional<Path> baseline) throws ConfigException {
    List<Expected> all = new ArrayList<>();
    for (CsvTable.Row row : CsvTable.read(Judgement.class, "deep-peaks.csv")) {
      all.add(
          new Expected(
              row.text("model"),
              test(row.text("test")),
              OF_PEAK * Double.parseDouble(row.text("per_second")),
              "half of the peak, " + row.text("source")));
    }
    if (baseline.isPresent()) {
      all.addAll(baseline(baseline.get()));
    }
    return new Judgement(all);
  }

  private static DeepTest test(String word) {
    return DeepTest.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static List<Expected> baseline(Path file) throws ConfigException {
    Reading<String> text = SmallFile.whole(file, MAX_BASELINE);
    if (!(text instanceof Reading.Present<String> present)) {
      throw new ConfigException(
          List.of("flag --deep.baseline: " + file + ": " + text.failure().orElse("no such file")));
    }
    List<Expected> rows = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    boolean headed = false;
    int number = 0;
    for (String line : present.value().lines().toList()) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String place = file + ":" + number + ": ";
      if (!headed) {
        headed = true;
        if (!CsvTable.split(line).equals(COLUMNS)) {
          problems.add(place + "the columns are not " + String.join(",", COLUMNS));
        }
      } else {
        row(line, place, rows, problems);
      }
    }
    ConfigException.throwAny(problems);
    return rows;
  }

  private static void row(String line, String place, List<Expected> rows, List<String> problems) {
    try {
      List<String> values = CsvTable.split(line);
      double rate = Double.parseDouble(values.get(2));
      if (values.size() != COLUMNS.size() || !(rate > 0) || Double.isInfinite(rate)) {
        problems.add(place + "needs a model, a test and a positive number");
      } else {
        rows.add(
            new Expected(
                values.get(0), test(values.get(1)), OF_BASELINE * rate, "90 % of the baseline"));
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException wrong) {
      problems.add(place + "needs a model, a test and a positive number");
    }
  }

  List<GpuResult> judge(List<GpuResult> gpus) {
    return gpus.stream()
        .map(
            gpu ->
                new GpuResult(
                    gpu.uuid(),
                    gpu.index(),
                    gpu.model(),
                    gpu.tests().stream().map(test -> judge(gpu, test, gpus)).toList()))
        .toList();
  }

  private TestResult judge(GpuResult gpu, TestResult test, List<GpuResult> all) {
    if (test.outcome() != Outcome.PASSED || test.perSecond().isEmpty()) {
      return test;
    }
    double rate = test.perSecond().getAsDouble();
    List<Double> siblings =
        all.stream()
            .filter(other -> other.model().equals(gpu.model()))
            .flatMap(other -> other.tests().stream())
            .filter(other -> other.test() == test.test())
            .flatMap(other -> other.perSecond().stream().boxed())
            .toList();
    double median = median(siblings);
    if (siblings.size() > 1 && rate < OF_SIBLINGS * median) {
      return slow(test, "below 90 % of the median of this node's GPUs", OF_SIBLINGS * median);
    }
    return expected.stream()
        .filter(one -> gpu.model().equals(one.model()) && one.test() == test.test())
        .filter(one -> rate < one.atLeast())
        .findFirst()
        .map(one -> slow(test, "below " + one.source(), one.atLeast()))
        .orElse(test);
  }

  private static TestResult slow(TestResult test, String why, double limit) {
    return new TestResult(
        test.test(),
        Outcome.SLOW,
        test.perSecond(),
        why + " (" + DeepText.rate(test.test(), limit) + ")");
  }

  static double median(Collection<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    if (sorted.isEmpty()) {
      return 0;
    }
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
