package io.lapwing.deep;

import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** The metric families of the last {@code lapwing check --deep}. */
public final class DeepMetrics {

  private static final String GPU = "gpu";
  private static final String UUID = "UUID";
  private static final String TEST = "test";
  private static final String TOOL = "tool";

  public static final Metric TIME =
      gauge(
          "lapwing_deep_check_timestamp_seconds",
          "When the last deep check ended (lapwing check --deep).");
  public static final Metric PASSED =
      gauge(
          "lapwing_deep_check_passed",
          "1 if the last deep check passed on this GPU, 0 if its results were wrong, it was slow, hung or failed (lapwing check --deep).",
          GPU,
          UUID,
          TEST);
  public static final Metric PROBLEM =
      gauge(
          "lapwing_deep_check_problem",
          "1 for each test that did not pass: slow, wrong, failed or hung (lapwing check --deep).",
          GPU,
          UUID,
          TEST,
          "outcome");
  public static final Metric FOUND =
      gauge(
          "lapwing_deep_check_found_timestamp_seconds",
          "When the check ended that found this problem: the last one, or an earlier one if the last did not get to the test (lapwing check --deep).",
          GPU,
          UUID,
          TEST);
  public static final Metric BANDWIDTH =
      gauge(
          "lapwing_deep_check_bandwidth_bytes_per_second",
          "Copy bandwidth that the last deep check measured, with right results (lapwing check --deep).",
          GPU,
          UUID,
          TEST);
  public static final Metric ARITHMETIC =
      gauge(
          "lapwing_deep_check_flops_per_second",
          "Single-precision operations that the last deep check measured, with right results (lapwing check --deep).",
          GPU,
          UUID);
  public static final Metric TOOL_PASSED =
      gauge(
          "lapwing_deep_check_tool_passed",
          "1 if a tool of the site passed in the last deep check, 0 if it failed or hung (dcgmi, nvbandwidth, all_reduce_perf, fi_pingpong).",
          TOOL);

  private DeepMetrics() {}
}
