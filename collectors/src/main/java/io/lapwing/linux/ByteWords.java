package io.lapwing.linux;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Searches bytes for words, so that uninteresting lines need not be decoded. */
final class ByteWords {

  private final List<byte[]> words;

  /** Printable ASCII, which the kernel never escapes; an empty list matches everything. */
  ByteWords(List<String> words) {
    this.words = words.stream().map(word -> word.getBytes(StandardCharsets.US_ASCII)).toList();
  }

  boolean in(byte[] bytes, int from, int to) {
    return words.isEmpty() || words.stream().anyMatch(word -> in(word, bytes, from, to));
  }

  private static boolean in(byte[] word, byte[] bytes, int from, int to) {
    for (int at = from; at + word.length <= to; at++) {
      if (at(word, bytes, at)) {
        return true;
      }
    }
    return false;
  }

  private static boolean at(byte[] word, byte[] bytes, int at) {
    int same = 0;
    while (same < word.length && bytes[at + same] == word[same]) {
      same++;
    }
    return same == word.length;
  }
}
