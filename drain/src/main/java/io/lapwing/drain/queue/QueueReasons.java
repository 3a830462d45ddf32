package io.lapwing.drain.queue;

import io.lapwing.common.text.PlainText;
import io.lapwing.drain.cluster.QueuedJob;
import java.util.Comparator;
import java.util.Optional;

/** Why a job waits, from the word of its scheduler and the state of the nodes. */
public final class QueueReasons {

  private final ReasonTable table = ReasonTable.shipped();

  /** The answer of the partition that could start it soonest, where it waits in several. */
  public Wait of(QueuedJob job, Capacity capacity) {
    if (job.reason().isEmpty()) {
      return new Wait(Layer.UNKNOWN, "the scheduler has given no reason yet");
    }
    if (!table.isByCapacity(job.reason())) {
      return table
          .wait(job.reason())
          .orElse(new Wait(Layer.UNKNOWN, "the scheduler says " + job.reason()));
    }
    Optional<GroupCapacity> best =
        job.partitions().stream()
            .sorted()
            .flatMap(group -> capacity.group(group).stream())
            .max(Comparator.comparingInt(group -> group.free() + group.returnable()));
    return best.map(group -> byCapacity(job, group, capacity.powersDown()))
        .orElse(new Wait(Layer.PROVISIONING, "no node of its partition or node group is known"));
  }

  private static Wait byCapacity(QueuedJob job, GroupCapacity in, boolean powersDown) {
    String wants = words(job.nodes(), job.gpus());
    int nodes = Math.max(job.nodes(), nodesFor(job.gpus(), in));
    if (nodes > in.nodes() || job.gpus() > in.gpus()) {
      String has = "it asks for %s, and %s has %s";
      return new Wait(
          powersDown ? Layer.PROVISIONING : Layer.WORKLOAD,
          (powersDown ? has + " beside those that are powered down" : has + " in all")
              .formatted(wants, in.group(), words(in.nodes(), in.gpus())));
    }
    if (nodes <= in.freeNodes() && job.gpus() <= in.free()) {
      return new Wait(
          Layer.SCHEDULING,
          "it asks for %s, and %s of %s are free: the scheduler keeps them for other jobs, or has not come to it"
              .formatted(wants, words(in.freeNodes(), in.free()), in.group()));
    }
    if (nodes <= in.freeNodes() + in.returnableNodes()
        && job.gpus() <= in.free() + in.returnable()) {
      return new Wait(
          Layer.PROVISIONING,
          "it asks for %s; %s of %s are free, and it would fit if %s came back"
              .formatted(
                  wants,
                  words(in.freeNodes(), in.free()),
                  in.group(),
                  in.gpus() == 0
                      ? PlainText.count(in.returnableNodes(), "node")
                      : PlainText.count(in.returnable(), "GPU")));
    }
    if (in.gpus() == 0) {
      return new Wait(
          Layer.SCHEDULING,
          "it asks for %s; %d of the %s of %s are free"
              .formatted(wants, in.freeNodes(), PlainText.count(in.nodes(), "node"), in.group()));
    }
    if (job.gpus() > 0 && job.gpus() <= in.free() + in.fragmented()) {
      return new Wait(
          Layer.SCHEDULING,
          "it asks for %s; %d GPUs of %s are free, but %d of them on nodes with other jobs"
              .formatted(wants, in.free() + in.fragmented(), in.group(), in.fragmented()));
    }
    return new Wait(
        Layer.SCHEDULING,
        "it asks for %s; %s of %s are free, %d GPUs run other jobs and %d are out of service"
            .formatted(
                wants,
                words(in.freeNodes(), in.free()),
                in.group(),
                in.allocated(),
                in.outOfService()));
  }

  private static int nodesFor(int gpus, GroupCapacity in) {
    return in.perNode() == 0 ? 0 : (gpus + in.perNode() - 1) / in.perNode();
  }

  /** {@code 2 nodes with 16 GPUs}; without the nodes, if their number is not known. */
  private static String words(int nodes, int gpus) {
    if (nodes == 0) {
      return PlainText.count(gpus, "GPU");
    }
    return PlainText.count(nodes, "node")
        + (gpus == 0 ? "" : " with " + PlainText.count(gpus, "GPU"));
  }
}
