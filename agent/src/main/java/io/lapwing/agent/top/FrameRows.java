package io.lapwing.agent.top;

import io.lapwing.agent.top.NodeFrame.FileSystem;
import io.lapwing.agent.top.NodeFrame.Gpu;
import io.lapwing.agent.top.NodeFrame.Instance;
import io.lapwing.agent.top.NodeFrame.Problem;
import io.lapwing.agent.top.NodeFrame.Rail;
import io.lapwing.agent.top.NodeFrame.Rank;
import io.lapwing.agent.top.NodeFrame.Target;
import java.util.List;
import java.util.OptionalDouble;

/** Rows of {@code /api/v1/live} as records; docs/ui.md describes their members. */
final class FrameRows {

  private FrameRows() {}

  static Gpu gpu(JsonRow row) {
    return new Gpu(
        index(row.text("gpu")),
        row.text("UUID"),
        isUp(row),
        row.text("name"),
        row.number("utilization_percent"),
        row.number("sm_active"),
        row.number("tensor_active"),
        row.number("memory_used_mebibytes"),
        row.number("memory_mebibytes"),
        row.number("watts"),
        row.number("watts_limit"),
        row.number("celsius"),
        row.number("sm_megahertz"),
        List.copyOf(row.group("clock_events").keySet()),
        row.group("xids"),
        job(row),
        row.text("user"));
  }

  static Instance instance(JsonRow row) {
    return new Instance(
        row.text("UUID"),
        index(row.text("GPU_I_ID")),
        row.text("GPU_I_PROFILE"),
        row.number("sm_active"),
        row.number("tensor_active"),
        row.number("memory_used_mebibytes"),
        row.number("memory_mebibytes"),
        row.number("allocated"),
        job(row),
        row.text("user"));
  }

  private static String job(JsonRow row) {
    return row.text("job_id").isEmpty() ? row.text("pod") : row.text("job_id");
  }

  static Rail rail(JsonRow row) {
    return new Rail(
        row.text("device"),
        isUp(row),
        row.text("nearest_gpus"),
        row.rate("rx_bytes"),
        row.rate("tx_bytes"),
        row.rate("tx_packets"),
        row.rate("retransmitted_packets"),
        row.number("timeouts"));
  }

  static FileSystem fileSystem(JsonRow row) {
    return new FileSystem(
        row.text("fs"),
        row.rate("read_bytes"),
        row.rate("written_bytes"),
        ratio(row.number("available_bytes"), row.number("size_bytes")));
  }

  static Target target(JsonRow row) {
    return new Target(
        row.text("fs"),
        row.text("target"),
        row.number("connected"),
        row.text("state"),
        row.number("rpcs_in_flight"),
        row.number("rpcs_in_flight_limit"),
        row.rate("rpcs"),
        ratio(row.rate("rpc_wait_seconds"), row.rate("rpcs")),
        row.number("evictions"));
  }

  static Rank rank(JsonRow row) {
    OptionalDouble time = row.rate("step_seconds");
    OptionalDouble mean = ratio(time, row.rate("steps"));
    return new Rank(
        row.text("job_id").isEmpty() ? row.text("run") : row.text("job_id"),
        row.text("rank"),
        row.text("gpu"),
        row.number("verified").orElse(0) != 0,
        row.text("phase"),
        row.number("step"),
        row.number("step_ended"),
        row.number("usual_step_seconds"),
        mean.isPresent() ? mean : row.number("usual_step_seconds"),
        ratio(row.rate("compute_seconds"), time),
        ratio(row.rate("input_wait_seconds"), time),
        ratio(row.rate("communication_wait_seconds"), time));
  }

  static Problem problem(JsonRow row) {
    return new Problem(
        row.text("source"), row.text("state"), row.text("why"), row.number("hung_seconds"));
  }

  private static boolean isUp(JsonRow row) {
    return row.number("up").orElse(0) != 0;
  }

  /** What has no number as its index is shown last. */
  private static int index(String text) {
    return text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : Integer.MAX_VALUE;
  }

  private static OptionalDouble ratio(OptionalDouble part, OptionalDouble of) {
    return part.isPresent() && of.isPresent() && of.getAsDouble() > 0
        ? OptionalDouble.of(part.getAsDouble() / of.getAsDouble())
        : OptionalDouble.empty();
  }
}
