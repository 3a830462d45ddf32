package io.lapwing.training;

import java.util.Locale;

/** Why a file in the steps folder is not read. */
enum Rejection {
  /**
   * Its name is of other characters than writers take, and may not be the same when written back.
   */
  BAD_NAME,
  /** A folder, a symbolic link, a FIFO, a socket, a device. */
  NOT_REGULAR,
  /** Larger than the largest that there can be, whether or not its blocks are there. */
  TOO_BIG,
  /** Not the size that its own header says. */
  BAD_SIZE,
  BAD_MAGIC,
  /** Of another version of the layout. */
  VERSION,
  /** Something stands in the header that cannot be. */
  BAD_HEADER,
  /** Not of the user whose process it names. */
  OWNER,
  /** Another file speaks for the same rank of the same run. */
  DUPLICATE,
  /** There are more ranks, or more files, than are read. */
  TOO_MANY,
  /** Its process is no more, or has not been heard of for too long. */
  PROCESS_GONE,
  /** It became shorter while it was read. */
  TRUNCATED,
  /** Its counts went back: two write to it. */
  TWO_WRITERS,
  /** It was changed or replaced while it was read; it is looked at again. */
  REPLACED,
  NO_PERMISSION,
  IO;

  /** As it stands on the page. */
  String reason() {
    return name().toLowerCase(Locale.ROOT);
  }
}
