package io.lapwing.training;

/** Byte offsets of step files, version 1; little-endian. Documented in docs/steps-format.md. */
final class StepLayout {

  static final byte[] MAGIC = {'L', 'A', 'P', 'W', 'S', 'T', 'E', 'P'};
  static final int VERSION = 1;
  static final int HEADER = 1024;
  static final int RECORD = 192;
  static final int MIN_CAPACITY = 2;
  static final int MAX_CAPACITY = 16_384;
  static final long MIN_SIZE = HEADER + (long) MIN_CAPACITY * RECORD;
  static final long MAX_SIZE = HEADER + (long) MAX_CAPACITY * RECORD;

  /** Whether a step file can have this size. */
  static boolean isSize(long size) {
    return size >= MIN_SIZE && size <= MAX_SIZE && (size - HEADER) % RECORD == 0;
  }

  // Header.
  static final int AT_VERSION = 8;
  static final int AT_HEADER_SIZE = 12;
  static final int AT_RECORD_SIZE = 16;
  static final int AT_CAPACITY = 20;
  static final int AT_PID = 24;
  static final int AT_FLAGS = 28;
  static final int AT_PROCESS_START = 32;
  static final int AT_PID_NAMESPACE = 40;
  static final int AT_RANK = 48;
  static final int AT_LOCAL_RANK = 52;
  static final int AT_WORLD_SIZE = 56;
  static final int AT_GPU_INDEX = 60;
  static final int AT_PARALLEL_RANKS = 64;
  static final int AT_PARALLEL_SIZES = 84;
  static final int AT_FLOPS_PER_TOKEN = 104;
  static final int AT_CREATED = 112;

  /**
   * From here to {@link #AT_FIXED_AGAIN} the fields change while the loop runs, also those of later
   * writers that are zeros here.
   */
  static final int AT_WRITTEN = 120;

  static final int AT_PHASE = 128;
  static final int AT_PHASE_SINCE = 136;
  static final int AT_WAITING = 144;
  static final int AT_WAITING_SINCE = 152;
  static final int AT_CHECKPOINT = 160;
  static final int CHECKPOINT_BYTES = 40;
  static final int AT_FRAME = 200;
  static final int FRAME_BYTES = 56;
  static final int AT_FIXED_AGAIN = 256;
  static final int AT_JOB = 256;
  static final int AT_RUN = 384;
  static final int NAME_BYTES = 128;
  static final int AT_GPU_UUID = 512;
  static final int GPU_UUID_BYTES = 96;
  static final int AT_PRECISION = 608;
  static final int PRECISION_BYTES = 16;
  static final int AT_FRAMEWORK = 624;
  static final int FRAMEWORK_BYTES = 32;

  /** The writer holds a POSIX write lock on byte 0 until it exits. */
  static final int FLAG_LOCKED = 2;

  static final int OWN_WORK = 1;
  static final int IN_COLLECTIVE = 2;

  // Record.
  static final int AT_SEQUENCE = 0;
  static final int AT_STEP = 8;
  static final int AT_START = 16;
  static final int AT_DURATION = 24;
  static final int AT_TOKENS = 32;
  static final int AT_LOSS = 48;
  static final int AT_GRADIENT_NORM = 56;
  static final int AT_LEARNING_RATE = 64;
  static final int AT_TOTAL_STEPS = 104;
  static final int AT_TOTAL_TOKENS = 112;
  static final int AT_TOTAL_SAMPLES = 120;
  static final int AT_TOTAL_DURATION = 128;
  static final int AT_TOTAL_DATA_WAIT = 136;
  static final int AT_TOTAL_COMPUTE = 144;
  static final int AT_TOTAL_COMMUNICATION_WAIT = 152;
  static final int AT_TOTAL_CHECKPOINT = 160;
  static final int AT_SEQUENCE_AGAIN = 168;

  private StepLayout() {}
}
