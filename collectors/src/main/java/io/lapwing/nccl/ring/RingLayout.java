package io.lapwing.nccl.ring;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Version 1 of the ring file: {@code docs/nccl-format.md}. Offsets in bytes. */
final class RingLayout {

  static final String SUFFIX = ".nccl";

  static final int VERSION = 1;
  static final int HEADER = 1024;
  static final int COMMUNICATOR = 1024;
  static final int RECORD = 64;

  static final int MIN_CAPACITY = 2;
  static final int MAX_CAPACITY = 16_384;
  static final int MAX_COMMUNICATORS = 64;

  static final long MIN_SIZE = HEADER + COMMUNICATOR + (long) MIN_CAPACITY * RECORD;
  static final long MAX_SIZE =
      HEADER + (long) MAX_COMMUNICATORS * COMMUNICATOR + (long) MAX_CAPACITY * RECORD;

  private static final byte[] MAGIC = "LAPWNCCL".getBytes(US_ASCII);

  // The header.
  static final int AT_VERSION = 8;
  static final int AT_HEADER_SIZE = 12;
  static final int AT_RECORD_SIZE = 16;
  static final int AT_CAPACITY = 20;
  static final int AT_FLAGS = 28;
  static final int AT_RANK_OF_JOB = 48;
  static final int AT_GPU_INDEX = 60;
  static final int AT_COMMUNICATORS = 64;
  static final int AT_COMMUNICATOR_SIZE = 68;
  static final int AT_INTERFACE = 72;
  static final int AT_WRITTEN = 88;
  static final int AT_LOST = 96;
  static final int AT_REFUSED = 104;
  static final int AT_ENDED = 112;
  static final int AT_FIXED_AGAIN = 120;
  static final int AT_JOB = 256;
  static final int JOB_BYTES = 128;
  static final int AT_GPU_UUID = 512;
  static final int GPU_UUID_BYTES = 96;

  /** Of the flags: the writer holds a lock on the file. */
  static final int FLAG_LOCKED = 2;

  // A communicator.
  static final int AT_STATE = 0;
  static final int AT_GENERATION = 4;
  static final int AT_HASH = 8;
  static final int AT_RANK = 16;
  static final int AT_RANKS = 20;
  static final int AT_NODES = 24;
  static final int AT_NAME = 64;
  static final int NAME_BYTES = 64;
  static final int AT_OPERATIONS = 128;
  static final int OPERATION = 96;

  // A record.
  static final int AT_MARK = 0;
  static final int AT_SEQUENCE = 8;
  static final int AT_DURATION = 40;
  static final int AT_PLACE = 48;
  static final int AT_OPERATION = 49;
  static final int AT_RECORD_GENERATION = 52;
  static final int AT_MARK_AGAIN = 56;

  private RingLayout() {}

  static byte[] magic() {
    return MAGIC.clone();
  }
}
