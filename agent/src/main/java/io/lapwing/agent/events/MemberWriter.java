package io.lapwing.agent.events;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Writes members of a JSON object. Texts are shortened to a bound. Empty optionals and empty texts
 * are left out, except by {@link #text}.
 */
record MemberWriter(JsonGenerator json) {

  /** Characters of UUIDs, addresses, names of rules and subjects, versions. */
  static final int MAX_TEXT = 256;

  /** Characters of process names; the kernel's own have 15. */
  static final int MAX_PROCESS = 64;

  /** Characters of kernel messages, reasons and notes. */
  static final int MAX_MESSAGE = 2_000;

  private static final char ELLIPSIS = '\u2026';
  private static final char REPLACEMENT = '\ufffd';

  MemberWriter text(String name, String value) throws IOException {
    json.writeStringField(name, bounded(value, MAX_TEXT));
    return this;
  }

  MemberWriter textIfPresent(String name, String value) throws IOException {
    return ifPresent(name, value, MAX_TEXT);
  }

  MemberWriter process(String name, String value) throws IOException {
    return ifPresent(name, value, MAX_PROCESS);
  }

  MemberWriter message(String name, String value) throws IOException {
    return ifPresent(name, value, MAX_MESSAGE);
  }

  private MemberWriter ifPresent(String name, String value, int max) throws IOException {
    if (!value.isEmpty()) {
      json.writeStringField(name, bounded(value, max));
    }
    return this;
  }

  MemberWriter number(String name, long value) throws IOException {
    json.writeNumberField(name, value);
    return this;
  }

  MemberWriter number(String name, OptionalInt value) throws IOException {
    return value.isPresent() ? number(name, value.getAsInt()) : this;
  }

  MemberWriter number(String name, OptionalLong value) throws IOException {
    return value.isPresent() ? number(name, value.getAsLong()) : this;
  }

  MemberWriter flag(String name, boolean value) throws IOException {
    json.writeBooleanField(name, value);
    return this;
  }

  MemberWriter instant(String name, Instant value) throws IOException {
    json.writeStringField(name, value.toString());
    return this;
  }

  MemberWriter instantUnless(String name, Instant value, Instant otherwise) throws IOException {
    return value.equals(otherwise) ? this : instant(name, value);
  }

  MemberWriter origins(String name, Set<Event.Origin> origins) throws IOException {
    if (!origins.isEmpty()) {
      json.writeArrayFieldStart(name);
      for (Event.Origin origin : Event.Origin.values()) {
        if (origins.contains(origin)) {
          json.writeString(origin.name().toLowerCase(Locale.ROOT));
        }
      }
      json.writeEndArray();
    }
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
