package io.lapwing.training;

import java.util.Locale;

/** Why a file in the steps folder is not read. */
enum Rejection {
  /**
   * A name with characters that no writer uses, which might not survive the conversion to a string
   * and back.
   */
  BAD_NAME,
  /** A folder, symbolic link, FIFO, socket or device. */
  NOT_REGULAR,
  /** Larger than any valid file, sparse or not. */
  TOO_BIG,
  /** Not the size that its header demands. */
  BAD_SIZE,
  BAD_MAGIC,
  /** Another version of the layout. */
  VERSION,
  /** An impossible value in the header. */
  BAD_HEADER,
  /** Its owner is not the user of the process that it names. */
  OWNER,
  /** Another file is of the same rank of the same run. */
  DUPLICATE,
  /** More ranks, or more files, than are read. */
  TOO_MANY,
  /** Its process has exited, or has been silent for too long. */
  PROCESS_GONE,
  /** It became shorter while it was read. */
  TRUNCATED,
  /** Its counts decreased: two processes write to it. */
  TWO_WRITERS,
  /** Changed or replaced while it was read; it is opened again. */
  REPLACED,
  NO_PERMISSION,
  IO;

  /** The label value. */
  String reason() {
    return name().toLowerCase(Locale.ROOT);
  }
}
