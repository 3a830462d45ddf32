package io.lapwing.xid;

import io.lapwing.xid.XidDetail.RecoveryChange;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** 154: {@code GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)}. */
final class RecoveryText {

  private static final Pattern CHANGE =
      Pattern.compile(
          "GPU recovery action changed from 0x([0-9a-f]{1,4}) \\([^)]*+\\)"
              + " to 0x([0-9a-f]{1,4}) \\(([^)]*+)\\)");

  private RecoveryText() {}

  static XidDetail read(String message) {
    Matcher change = CHANGE.matcher(message);
    return change.lookingAt()
        ? new RecoveryChange(value(change, 1), value(change, 2), change.group(3))
        : XidDetail.NONE;
  }

  private static int value(Matcher change, int group) {
    return Integer.parseInt(change.group(group), 16);
  }
}
