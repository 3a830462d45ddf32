package io.lapwing.nccl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How many operations of each kind a rank has begun on a communicator. Kept without boxes: a reply
 * has one for each rank of the job.
 */
final class CollectiveCounts {

  /** NCCL has five and may get a few more. */
  private static final int MOST = 16;

  private final List<String> operations = new ArrayList<>();
  private final double[] counts = new double[MOST];

  /** Takes a count in place of an earlier one; a seventeenth operation is not kept. */
  void set(String operation, double count) {
    int index = index(operation);
    if (index >= 0) {
      counts[index] = count;
    }
  }

  /** Raises each count to that of another where that is higher. */
  void raiseTo(CollectiveCounts other) {
    for (int i = 0; i < other.operations.size(); i++) {
      int mine = index(other.operations.get(i));
      if (mine >= 0) {
        counts[mine] = Math.max(counts[mine], other.counts[i]);
      }
    }
  }

  private int index(String operation) {
    int known = operations.indexOf(operation);
    if (known >= 0 || operations.size() == MOST) {
      return known;
    }
    operations.add(operation);
    return operations.size() - 1;
  }

  List<String> operations() {
    return operations;
  }

  double count(int index) {
    return counts[index];
  }

  double total() {
    double total = 0;
    for (int i = 0; i < operations.size(); i++) {
      total += counts[i];
    }
    return total;
  }

  /** How many operations these are short of others. */
  double shortOf(CollectiveCounts most) {
    double missing = 0;
    for (int i = 0; i < most.operations.size(); i++) {
      int mine = operations.indexOf(most.operations.get(i));
      missing += Math.max(0, most.counts[i] - (mine < 0 ? 0 : counts[mine]));
    }
    return missing;
  }

  void clear() {
    operations.clear();
    Arrays.fill(counts, 0);
  }

  CollectiveCounts copy() {
    CollectiveCounts copy = new CollectiveCounts();
    copy.raiseTo(this);
    return copy;
  }
}
