package io.lapwing.xid;

import java.util.Optional;

/** Where intrInfo of XIDs 144 to 150 carries the subcode: that changed with driver R575. */
enum Nvlink5Layout {
  /** Bits 9:5. */
  BEFORE_R575(5, 0x1F),
  /** Bits 6:0. */
  SINCE_R575(0, 0x7F);

  private static final int R575 = 575;
  private static final int BRANCH_DIGITS = 4;

  private final int shift;
  private final int mask;

  Nvlink5Layout(int shift, int mask) {
    this.shift = shift;
    this.mask = mask;
  }

  /**
   * Of a driver.
   *
   * @param version such as {@code 580.95.05}; empty for what does not start with a branch
   */
  static Optional<Nvlink5Layout> of(String version) {
    Cursor cursor = new Cursor(version);
    long branch = cursor.number(BRANCH_DIGITS).orElse(0);
    if (branch == 0 || !(cursor.atEnd() || cursor.skip("."))) {
      return Optional.empty();
    }
    return Optional.of(branch < R575 ? BEFORE_R575 : SINCE_R575);
  }

  int subcode(long intrInfo) {
    return (int) (intrInfo >> shift) & mask;
  }
}
