package io.lapwing.lnet;

import io.lapwing.linux.KernelNumber;
import io.lapwing.linux.ParseFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** One line of an LNet file, counted from 1, split into words. */
record LnetLine(String file, int line, List<String> words) {

  private static final Pattern SPACE = Pattern.compile("[ \t]+");

  /** An IPv4 address, an IPv6 address (since 2.16) or a number, and the network. */
  private static final Pattern NID = Pattern.compile("[0-9A-Za-z.:%_-]{1,64}@[a-z0-9]{1,16}");

  private static final Pattern INTEGER = Pattern.compile("-?\\d{1,10}");

  /** Splits a line of exactly {@code count} words. */
  static LnetLine of(String file, int line, String text, int count) throws ParseFailure {
    List<String> words = List.of(SPACE.split(text.strip()));
    if (words.size() != count) {
      throw new ParseFailure(file, line, words.size() + " words instead of " + count);
    }
    return new LnetLine(file, line, words);
  }

  /** The lines after the header of a table, whose column names are separated by single spaces. */
  static List<LnetLine> table(String file, String text, String header) throws ParseFailure {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !SPACE.matcher(lines.get(0).strip()).replaceAll(" ").equals(header)) {
      throw new ParseFailure(file, 1, "not the header '" + header + "'");
    }
    if (!text.endsWith("\n")) {
      throw new ParseFailure(file, lines.size(), "truncated within a line");
    }
    int columns = header.split(" ", -1).length;
    List<LnetLine> rows = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      rows.add(of(file, i + 1, lines.get(i), columns));
    }
    return rows;
  }

  /** A NID such as {@code 10.0.2.7@tcp}. */
  String nid(int word) throws ParseFailure {
    if (!NID.matcher(words.get(word)).matches()) {
      throw new ParseFailure(file, line, "not a NID: word " + (word + 1));
    }
    return words.get(word);
  }

  boolean is(int word, String text) {
    return words.get(word).equals(text);
  }

  /** A number printed with {@code %u} or {@code %llu}. */
  long unsigned(int word) throws ParseFailure {
    OptionalLong bits = KernelNumber.bits(words.get(word));
    if (bits.isEmpty()) {
      throw new ParseFailure(file, line, "not an unsigned 64-bit number: word " + (word + 1));
    }
    return bits.getAsLong();
  }

  /** A number printed with {@code %d}. */
  int signed(int word) throws ParseFailure {
    String digits = words.get(word);
    try {
      if (INTEGER.matcher(digits).matches()) {
        return Integer.parseInt(digits);
      }
    } catch (NumberFormatException beyond32Bits) {
      // Fall through to the same failure.
    }
    throw new ParseFailure(file, line, "not a 32-bit number: word " + (word + 1));
  }

  /** Whether a word is the first of two allowed ones. */
  boolean either(int word, String yes, String no) throws ParseFailure {
    if (!is(word, yes) && !is(word, no)) {
      throw new ParseFailure(file, line, "neither " + yes + " nor " + no);
    }
    return is(word, yes);
  }
}
