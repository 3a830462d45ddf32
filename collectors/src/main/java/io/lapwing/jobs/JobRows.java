package io.lapwing.jobs;

import java.util.ArrayList;
import java.util.List;

/** Who has one GPU, as all sources say together: what several of them say of one job is one row. */
final class JobRows {

  /** Rows of a GPU: seven slices, or as many shares of it as anybody has been seen to make. */
  static final int MOST = 32;

  private final List<Claim> rows = new ArrayList<>();
  private boolean full;

  /**
   * Adds what a source says: to each row that may be the same, and else as a new one. Whoever knows
   * most comes first.
   */
  void add(Claim claim) {
    boolean joined = false;
    for (int i = 0; i < rows.size(); i++) {
      Claim row = rows.get(i);
      if (row.place().mayBe(claim.place()) && row.holder().mayBe(claim.holder())) {
        rows.set(
            i, new Claim(row.place().narrowed(claim.place()), row.holder().with(claim.holder())));
        joined = true;
      }
    }
    if (!joined && rows.size() == MOST) {
      full = true;
    } else if (!joined) {
      rows.add(claim);
    }
  }

  List<Claim> rows() {
    return rows.stream().distinct().toList();
  }

  /** Whether there was more than a GPU can have. */
  boolean isFull() {
    return full;
  }
}
