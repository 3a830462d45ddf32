package io.lapwing.nccl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Operations that a rank has started, by kind, without boxing: a reply has many sets. */
final class CollectiveCounts {

  /** NCCL has five kinds and may get a few more. */
  private static final int MAX_OPERATIONS = 16;

  private final List<String> operations = new ArrayList<>();
  private final double[] counts = new double[MAX_OPERATIONS];

  /** Replaces a count; a 17th operation is dropped. */
  void set(String operation, double count) {
    int index = index(operation);
    if (index >= 0) {
      counts[index] = count;
    }
  }

  void add(String operation, double count) {
    int index = index(operation);
    if (index >= 0) {
      counts[index] += count;
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
    if (known >= 0 || operations.size() == MAX_OPERATIONS) {
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

  /** How many operations these counts are behind others. */
  double behind(CollectiveCounts highest) {
    double missing = 0;
    for (int i = 0; i < highest.operations.size(); i++) {
      int mine = operations.indexOf(highest.operations.get(i));
      missing += Math.max(0, highest.counts[i] - (mine < 0 ? 0 : counts[mine]));
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
