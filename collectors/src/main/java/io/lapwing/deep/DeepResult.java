package io.lapwing.deep;

import io.lapwing.metric.LabelWord;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** One run of the active tests. */
public record DeepResult(
    Instant at, boolean simulated, List<GpuResult> gpus, List<ToolResult> tools) {

  public DeepResult {
    gpus = List.copyOf(gpus);
    tools = List.copyOf(tools);
  }

  /**
   * As this one, with the tests that found a defect in an {@code earlier} result and have no
   * outcome in this one, also of GPUs that are missing: only a test shows that the defect is gone.
   */
  public DeepResult keeping(DeepResult earlier) {
    Map<String, GpuResult> byUuid = new LinkedHashMap<>();
    gpus.forEach(gpu -> byUuid.put(gpu.uuid(), gpu));
    for (GpuResult before : earlier.gpus()) {
      GpuResult now = byUuid.get(before.uuid());
      if (now != null) {
        byUuid.put(before.uuid(), now.keeping(before, earlier.at()));
      } else if (before.isDefective()) {
        byUuid.put(before.uuid(), before.untested().keeping(before, earlier.at()));
      }
    }
    return new DeepResult(at, simulated, List.copyOf(byUuid.values()), tools);
  }

  /** The tests of one GPU; {@code model} as NVML names it. */
  public record GpuResult(String uuid, int index, String model, List<TestResult> tests) {
    public GpuResult {
      tests = List.copyOf(tests);
    }

    private boolean isDefective() {
      return tests.stream().anyMatch(test -> test.outcome().defective());
    }

    private GpuResult untested() {
      return new GpuResult(uuid, index, model, List.of());
    }

    private GpuResult keeping(GpuResult earlier, Instant then) {
      List<TestResult> kept =
          earlier.tests().stream()
              .filter(test -> test.outcome().defective() && !isMeasured(test.test()))
              .map(test -> test.of(then))
              .toList();
      Stream<TestResult> own =
          tests.stream()
              .filter(test -> kept.stream().noneMatch(other -> other.test() == test.test()));
      return new GpuResult(uuid, index, model, Stream.concat(own, kept.stream()).toList());
    }

    private boolean isMeasured(DeepTest which) {
      return tests.stream()
          .anyMatch(test -> test.test() == which && test.outcome() != Outcome.NOT_TESTED);
    }
  }

  /**
   * One test of one GPU.
   *
   * @param perSecond bytes or operations a second; empty without a valid measurement
   * @param detail the reason, with figures; empty if it passed
   * @param found when an earlier check found the defect, whose test this one did not get to
   */
  public record TestResult(
      DeepTest test,
      Outcome outcome,
      OptionalDouble perSecond,
      String detail,
      Optional<Instant> found) {

    public TestResult(DeepTest test, Outcome outcome, OptionalDouble perSecond, String detail) {
      this(test, outcome, perSecond, detail, Optional.empty());
    }

    private TestResult of(Instant earlier) {
      return new TestResult(test, outcome, perSecond, detail, Optional.of(found.orElse(earlier)));
    }
  }

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
