package io.lapwing.agent.events;

import io.lapwing.json.JsonWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Writes JSON members with bounded texts. Empty ones are left out, except by {@link #text}. */
record MemberWriter(JsonWriter json) {

  /** Characters of UUIDs, addresses, names of rules and subjects, versions. */
  static final int MAX_TEXT = 256;

  /** Characters of process names; the kernel's own have 15. */
  static final int MAX_PROCESS = 64;

  /** Characters of kernel messages, reasons and notes. */
  static final int MAX_MESSAGE = 2_000;

  private static final char ELLIPSIS = '\u2026';
  private static final char REPLACEMENT = '\ufffd';

  MemberWriter text(String name, String value) {
    return member(name, bounded(value, MAX_TEXT));
  }

  MemberWriter textIfPresent(String name, String value) {
    return ifPresent(name, value, MAX_TEXT);
  }

  MemberWriter process(String name, String value) {
    return ifPresent(name, value, MAX_PROCESS);
  }

  MemberWriter message(String name, String value) {
    return ifPresent(name, value, MAX_MESSAGE);
  }

  private MemberWriter ifPresent(String name, String value, int max) {
    return value.isEmpty() ? this : member(name, bounded(value, max));
  }

  MemberWriter number(String name, long value) {
    return member(name, value);
  }

  MemberWriter number(String name, OptionalInt value) {
    return value.isPresent() ? member(name, value) : this;
  }

  MemberWriter number(String name, OptionalLong value) {
    return value.isPresent() ? member(name, value) : this;
  }

  MemberWriter flag(String name, boolean value) {
    return member(name, value);
  }

  MemberWriter flagIfSet(String name, boolean value) {
    return value ? member(name, true) : this;
  }

  MemberWriter instant(String name, Instant value) {
    return member(name, value);
  }

  MemberWriter instantUnless(String name, Instant value, Instant otherwise) {
    return value.equals(otherwise) ? this : member(name, value);
  }

  MemberWriter origins(String name, Set<Event.Origin> origins) {
    return origins.isEmpty()
        ? this
        : member(
            name, origins.stream().sorted().map(origin -> origin.name().toLowerCase(Locale.ROOT)));
  }

  private MemberWriter member(String name, Object value) {
    json.member(name, value);
    return this;
  }

  /** At most {@code max} characters, the last of them an ellipsis if it was longer. */
  private static String bounded(String text, int max) {
    if (text.length() <= max) {
      return withoutLoneSurrogates(text);
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(max - 2));
    return withoutLoneSurrogates(text.substring(0, splitsPair ? max - 2 : max - 1)) + ELLIPSIS;
  }

  /** Half a surrogate pair makes a JSON generator throw. */
  private static String withoutLoneSurrogates(String text) {
    if (text.chars().noneMatch(c -> Character.isSurrogate((char) c))) {
      return text;
    }
    StringBuilder valid = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? REPLACEMENT : c)
        .forEach(valid::appendCodePoint);
    return valid.toString();
  }
}
