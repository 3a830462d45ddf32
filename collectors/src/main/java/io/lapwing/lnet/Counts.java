package io.lapwing.lnet;

import io.lapwing.linux.ParseFailure;

/**
 * The counters of LNet: the single line of {@code stats}, in its order. Message counts have 32 bits
 * and byte counts 64, all unsigned.
 */
record Counts(
    long messages,
    long messagesMax,
    long errors,
    long sent,
    long received,
    long routed,
    long dropped,
    long sentBytes,
    long receivedBytes,
    long routedBytes,
    long droppedBytes) {

  private static final int NUMBERS = 11;

  static Counts parse(String file, String text) throws ParseFailure {
    // Without a newline the last number may be truncated.
    if (!text.endsWith("\n") || text.indexOf('\n') != text.length() - 1) {
      throw new ParseFailure(file, 1, "not one whole line");
    }
    LnetLine line = LnetLine.of(file, 1, text, NUMBERS);
    return new Counts(
        line.unsigned(0),
        line.unsigned(1),
        line.unsigned(2),
        line.unsigned(3),
        line.unsigned(4),
        line.unsigned(5),
        line.unsigned(6),
        line.unsigned(7),
        line.unsigned(8),
        line.unsigned(9),
        line.unsigned(10));
  }
}
