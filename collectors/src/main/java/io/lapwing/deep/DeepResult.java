package io.lapwing.deep;

import io.lapwing.metric.LabelWord;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/** One run of the active tests. */
public record DeepResult(
    Instant at, boolean simulated, List<GpuResult> gpus, List<ToolResult> tools) {

  public DeepResult {
    gpus = List.copyOf(gpus);
    tools = List.copyOf(tools);
  }

  /** The tests of one GPU; {@code model} as NVML names it. */
  public record GpuResult(String uuid, int index, String model, List<TestResult> tests) {
    public GpuResult {
      tests = List.copyOf(tests);
    }
  }

  /**
   * One test of one GPU.
   *
   * @param perSecond bytes or operations a second; empty without a valid measurement
   * @param detail the reason, with figures; empty if it passed
   */
  public record TestResult(
      DeepTest test, Outcome outcome, OptionalDouble perSecond, String detail) {}

  /** A tool of the site; {@code detail} has the figures that it printed, or the reason. */
  public record ToolResult(String tool, Outcome outcome, String detail) {}

  public enum DeepTest implements LabelWord {
    HOST_TO_DEVICE,
    DEVICE_TO_HOST,
    DEVICE_COPY,
    /** To the other GPUs of the node: the median. */
    PEER_COPY,
    /** Floating-point operations a second. */
    ARITHMETIC
  }

  public enum Outcome implements LabelWord {
    PASSED,
    /** Right results, but less than expected. */
    SLOW,
    /** Results that differ from what was computed or sent. */
    WRONG,
    /** The driver answered with an error. */
    FAILED,
    /** No answer within the deadline. */
    HUNG,
    NOT_TESTED;

    /** Whether the part is defective, and not only slow. */
    public boolean defective() {
      return this == WRONG || this == FAILED || this == HUNG;
    }
  }
}
