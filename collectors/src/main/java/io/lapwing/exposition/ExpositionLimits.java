package io.lapwing.exposition;

/**
 * How much of a page is read, whoever wrote it.
 *
 * @param bytes of the page; what follows is left
 * @param lines of the page; what follows is left
 * @param lineBytes of a line; a longer one is malformed
 * @param labels of a sample; one with more is malformed
 * @param labelBytes of a label's value as it is written; one with a longer value is malformed
 */
public record ExpositionLimits(long bytes, long lines, int lineBytes, int labels, int labelBytes) {

  public ExpositionLimits {
    if (bytes < 1 || lines < 1 || lineBytes < 1 || labels < 0 || labelBytes < 0) {
      throw new IllegalArgumentException("a page with such limits has no room for a sample");
    }
  }

  /** Ample for an engine: 32 MiB, 500,000 lines of 16 KiB, 64 labels of 4 KiB. */
  public static final ExpositionLimits USUAL =
      new ExpositionLimits(32L << 20, 500_000, 16 << 10, 64, 4 << 10);
}
