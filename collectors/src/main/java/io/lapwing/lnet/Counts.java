package io.lapwing.lnet;

import io.lapwing.linux.ParseFailure;

/**
 * What LNet counts: the one line of {@code stats}, in its order. Messages are of 32 bits and bytes
 * of 64, all of them unsigned.
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
    // Without its newline the last number may be the half of one.
    if (!text.endsWith("\n") || text.indexOf('\n') != text.length() - 1) {
      throw new ParseFailure(file, 1, "not one whole line");
    }
    Words words = Words.of(file, 1, text, NUMBERS);
    return new Counts(
        words.unsigned(0),
        words.unsigned(1),
        words.unsigned(2),
        words.unsigned(3),
        words.unsigned(4),
        words.unsigned(5),
        words.unsigned(6),
        words.unsigned(7),
        words.unsigned(8),
        words.unsigned(9),
        words.unsigned(10));
  }
}
