package io.lapwing.nccl;

import java.util.Locale;

/** Why nothing was taken from a file. */
enum Rejection {
  SYMLINK,
  NOT_REGULAR,
  OTHER_USER,
  TOO_LARGE,
  HALF_WRITTEN,
  TOO_MANY,
  UNREADABLE;

  /** As it stands on the page. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
