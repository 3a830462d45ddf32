package io.lapwing.agent.deep;

import io.lapwing.agent.health.Verdict;
import io.lapwing.common.text.PlainText;
import io.lapwing.deep.DeepResult;
import io.lapwing.deep.DeepResult.DeepTest;
import io.lapwing.deep.DeepResult.GpuResult;
import io.lapwing.deep.DeepResult.Outcome;
import io.lapwing.deep.DeepResult.TestResult;
import io.lapwing.deep.DeepResult.ToolResult;
import java.util.Locale;
import java.util.stream.Stream;

/** A result as text, and its verdict. */
final class DeepText {

  private static final double GIGA = 1e9;
  private static final double TERA = 1e12;

  private DeepText() {}

  /**
   * As the agent's finding: a tool that did not pass names no GPU, and is degraded. Without a
   * single measurement the node is unknown.
   */
  static Verdict verdict(DeepResult result) {
    if (gpus(result).anyMatch(Outcome::defective)) {
      return Verdict.FAILING;
    }
    // A GPU that was not tested may be defective; a tool that is not installed says nothing.
    if (result.gpus().isEmpty() || gpus(result).anyMatch(one -> one == Outcome.NOT_TESTED)) {
      return Verdict.UNKNOWN;
    }
    boolean degraded =
        gpus(result).anyMatch(outcome -> outcome == Outcome.SLOW)
            || result.tools().stream().map(ToolResult::outcome).anyMatch(Outcome::defective);
    return degraded ? Verdict.DEGRADED : Verdict.HEALTHY;
  }

  private static Stream<Outcome> gpus(DeepResult result) {
    return result.gpus().stream().flatMap(gpu -> gpu.tests().stream()).map(TestResult::outcome);
  }

  static String of(DeepResult result) {
    StringBuilder text = new StringBuilder();
    if (result.simulated()) {
      text.append("SIMULATED NODE: none of this hardware exists.\n\n");
    }
    text.append(verdict(result).name()).append(": deep check of ");
    text.append(result.gpus().size()).append(" GPUs\n\n");
    for (GpuResult gpu : result.gpus()) {
      text.append("GPU %d  %s  %s%n".formatted(gpu.index(), PlainText.of(gpu.model()), gpu.uuid()));
      for (TestResult test : gpu.tests()) {
        String rate =
            test.perSecond().isPresent() ? rate(test.test(), test.perSecond().getAsDouble()) : "";
        line(text, test.test().text(), test.outcome(), rate, test.detail());
      }
    }
    if (!result.tools().isEmpty()) {
      text.append("Tools\n");
      result.tools().forEach(tool -> line(text, tool.tool(), tool.outcome(), "", tool.detail()));
    }
    return text.toString();
  }

  private static void line(
      StringBuilder text, String name, Outcome outcome, String rate, String detail) {
    text.append(
        String.format(
                Locale.ROOT,
                "   %-16s %-11s %14s  %s",
                name,
                outcome.text(),
                rate,
                PlainText.of(detail))
            .stripTrailing());
    text.append('\n');
  }

  /** {@code 54.2 GB/s}, {@code 51.3 TFLOPS}. */
  static String rate(DeepTest test, double perSecond) {
    return test == DeepTest.ARITHMETIC
        ? String.format(Locale.ROOT, "%.1f TFLOPS", perSecond / TERA)
        : String.format(Locale.ROOT, "%.1f GB/s", perSecond / GIGA);
  }
}
