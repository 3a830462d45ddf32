package io.lapwing.deep;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.deep.DeepResult.DeepTest;
import io.lapwing.deep.DeepResult.GpuResult;
import io.lapwing.deep.DeepResult.Outcome;
import io.lapwing.deep.DeepResult.TestResult;
import io.lapwing.metric.Labels;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * The last deep check, from the state directory.
 *
 * <pre>
 * lapwing_deep_check_passed{gpu="3",UUID="GPU-...",test="arithmetic"} 0
 * </pre>
 *
 * The file is checked once a minute and parsed when it was replaced.
 */
public final class DeepCheckSource extends FixedSource {

  /** The kind of this part of the node, and the name of the source and of its collector. */
  public static final String DEEP_CHECK = "deep_check";

  private final DeepResultFile file;
  private String version = "";
  private Reading<DeepResult> last;

  public DeepCheckSource(Path state) {
    super(DEEP_CHECK, Part.whole(DEEP_CHECK));
    add(DEEP_CHECK, Cadence.SLOW, this::collect);
    this.file = new DeepResultFile(state);
    this.last = new Reading.Missing<>(file.file().toString());
  }

  @Override
  public Access begin(List<Collector> due) {
    String now = file.version();
    if (!now.equals(version) || !(last instanceof Reading.Present<DeepResult>)) {
      last = file.read();
      version = now;
    }
    if (last instanceof Reading.Present<DeepResult>) {
      return Access.READY;
    }
    return last instanceof Reading.Failed<DeepResult> failed
        ? new Access.Down(failed.reason(), failed.question() + ": " + failed.reason())
        : new Access.NothingHere("no deep check was run on this node");
  }

  private void collect(SampleSink sink) {
    if (last instanceof Reading.Present<DeepResult> present) {
      collect(present.value(), sink);
    }
  }

  private static void collect(DeepResult result, SampleSink sink) {
    sink.add(DeepMetrics.TIME, Labels.NONE, result.at().toEpochMilli() / 1e3);
    result
        .gpus()
        .forEach(gpu -> gpu.tests().forEach(test -> collect(gpu, test, result.at(), sink)));
    result.tools().stream()
        .filter(tool -> tool.outcome() != Outcome.NOT_TESTED)
        .forEach(
            tool ->
                sink.add(
                    DeepMetrics.TOOL_PASSED,
                    Labels.of("tool", tool.tool()),
                    tool.outcome() == Outcome.PASSED ? 1 : 0));
  }

  private static void collect(GpuResult gpu, TestResult test, Instant at, SampleSink sink) {
    if (test.outcome() == Outcome.NOT_TESTED) {
      return;
    }
    Labels self = Labels.of("gpu", String.valueOf(gpu.index()), "UUID", gpu.uuid());
    Labels labels = self.with("test", test.test().text());
    boolean passed = test.outcome() == Outcome.PASSED;
    sink.add(DeepMetrics.PASSED, labels, passed ? 1 : 0);
    if (!passed) {
      sink.add(DeepMetrics.PROBLEM, labels.with("outcome", test.outcome().text()), 1);
      sink.add(DeepMetrics.FOUND, labels, test.found().orElse(at).toEpochMilli() / 1e3);
    }
    if (test.perSecond().isPresent()) {
      boolean arithmetic = test.test() == DeepTest.ARITHMETIC;
      sink.add(
          arithmetic ? DeepMetrics.ARITHMETIC : DeepMetrics.BANDWIDTH,
          arithmetic ? self : labels,
          test.perSecond().getAsDouble());
    }
  }
}
