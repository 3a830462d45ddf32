package io.lapwing.exposition;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The wanted sample names, matched on bytes without creating strings. Thread-safe. */
public final class SampleNames {

  private final List<String> prefixes;
  private final byte[][] prefixBytes;
  private final byte[][] slots;
  private final @Nullable String[] names;

  private SampleNames(Collection<String> wanted, Collection<String> prefixes) {
    this.prefixes = List.copyOf(prefixes);
    prefixBytes = this.prefixes.stream().map(SampleNames::bytes).toArray(byte[][]::new);
    int size = Math.max(2, Integer.highestOneBit(Math.max(1, wanted.size())) * 4);
    slots = new byte[size][];
    names = new String[size];
    for (String name : new LinkedHashSet<>(wanted)) {
      byte[] text = bytes(name);
      int slot = hash(text, 0, text.length);
      while (names[slot & (size - 1)] != null) {
        slot++;
      }
      slots[slot & (size - 1)] = text;
      names[slot & (size - 1)] = name;
    }
  }

  /** Sample names as on their lines: {@code x_bucket}, {@code x_sum}, {@code x_count}. */
  public static SampleNames of(Collection<String> wanted) {
    return new SampleNames(wanted, List.of());
  }

  /** As {@link #of(Collection)}; also tallies prefixes of samples and {@code # TYPE} lines. */
  public static SampleNames of(Collection<String> wanted, Collection<String> prefixes) {
    return new SampleNames(wanted, prefixes);
  }

  public List<String> prefixes() {
    return prefixes;
  }

  /** The name at that position, or null if it is not wanted. */
  @Nullable String find(byte[] line, int from, int to) {
    int slot = hash(line, from, to);
    while (true) {
      int at = slot & (slots.length - 1);
      String name = names[at];
      if (name == null || same(slots[at], line, from, to)) {
        return name;
      }
      slot++;
    }
  }

  boolean hasPrefix(int prefix, byte[] line, int from, int to) {
    byte[] text = prefixBytes[prefix];
    return to - from >= text.length && same(text, line, from, from + text.length);
  }

  private static boolean same(byte[] text, byte[] line, int from, int to) {
    return Arrays.equals(text, 0, text.length, line, from, to);
  }

  private static int hash(byte[] line, int from, int to) {
    int hash = 0;
    for (int at = from; at < to; at++) {
      hash = 31 * hash + line[at];
    }
    return hash ^ (hash >>> 15);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
