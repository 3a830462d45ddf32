package io.lapwing.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a JSON array of objects, or one object, and keeps of each object the members that are
 * strings, numbers or truth values, as text. What is nested has to be sound and is skipped: it may
 * come with a later version of the service. This is all the JSON that a collector meets, which
 * needs no library for it.
 */
final class JsonRecords {

  private static final int DEEPEST = 32;

  private final String text;
  private int at;

  private JsonRecords(String text) {
    this.text = text;
  }

  /** The objects, in order. */
  static List<Map<String, String>> read(String text) throws NotJson {
    JsonRecords reader = new JsonRecords(text);
    reader.space();
    List<Map<String, String>> records =
        reader.peek() == '[' ? reader.records() : List.of(reader.members(1));
    reader.space();
    if (reader.at < text.length()) {
      throw reader.wrong("there is more behind the end");
    }
    return records;
  }

  private List<Map<String, String>> records() throws NotJson {
    List<Map<String, String>> records = new ArrayList<>();
    at++;
    if (ends(']')) {
      return records;
    }
    do {
      space();
      records.add(members(1));
    } while (another(']'));
    return records;
  }

  private Map<String, String> members(int depth) throws NotJson {
    Map<String, String> members = new LinkedHashMap<>();
    expect('{', depth);
    if (ends('}')) {
      return members;
    }
    do {
      space();
      String name = string();
      space();
      expect(':', depth);
      space();
      String value = value(depth + 1);
      if (value.isEmpty()) {
        members.remove(name);
      } else {
        members.put(name, value);
      }
    } while (another('}'));
    return members;
  }

  /** The text of a value; empty for what is nested and for null. */
  private String value(int depth) throws NotJson {
    return switch (peek()) {
      case '"' -> string();
      case '{' -> {
        members(depth);
        yield "";
      }
      case '[' -> {
        elements(depth);
        yield "";
      }
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> {
        word("null");
        yield "";
      }
      default -> number();
    };
  }

  private void elements(int depth) throws NotJson {
    expect('[', depth);
    if (ends(']')) {
      return;
    }
    do {
      space();
      value(depth + 1);
    } while (another(']'));
  }

  private String string() throws NotJson {
    expect('"', 0);
    StringBuilder string = new StringBuilder();
    while (peek() != '"') {
      char c = text.charAt(at++);
      if (c < ' ') {
        throw wrong("a control character in a string");
      }
      string.append(c == '\\' ? escaped() : c);
    }
    at++;
    return string.toString();
  }

  private char escaped() throws NotJson {
    char c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> codeUnit();
      default -> throw wrong("an unknown escape");
    };
  }

  private char codeUnit() throws NotJson {
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit(peek(), 16);
      if (digit < 0 || peek() > 'f') {
        throw wrong("no hexadecimal digit");
      }
      unit = unit * 16 + digit;
      at++;
    }
    return (char) unit;
  }

  private String number() throws NotJson {
    int from = at;
    if (peek() == '-') {
      at++;
    }
    if (peek() == '0') {
      at++;
    } else {
      digits();
    }
    if (has(".")) {
      at++;
      digits();
    }
    if (has("eE")) {
      at++;
      if (has("+-")) {
        at++;
      }
      digits();
    }
    return text.substring(from, at);
  }

  private void digits() throws NotJson {
    if (!has("0123456789")) {
      throw wrong("no digit");
    }
    while (has("0123456789")) {
      at++;
    }
  }

  private String word(String word) throws NotJson {
    if (!text.startsWith(word, at)) {
      throw wrong("no value");
    }
    at += word.length();
    return word;
  }

  /** Whether an array or object that was just opened is empty, and then goes on behind it. */
  private boolean ends(char close) throws NotJson {
    space();
    boolean empty = peek() == close;
    at += empty ? 1 : 0;
    return empty;
  }

  /** Goes on behind a comma, or behind the end of the array or object. */
  private boolean another(char close) throws NotJson {
    space();
    char c = peek();
    at++;
    if (c != ',' && c != close) {
      throw wrong("neither a comma nor the end");
    }
    return c == ',';
  }

  private void expect(char c, int depth) throws NotJson {
    if (depth > DEEPEST) {
      throw wrong("nested too deeply");
    }
    if (peek() != c) {
      throw wrong("no " + c);
    }
    at++;
  }

  private void space() {
    while (has(" \t\r\n")) {
      at++;
    }
  }

  private boolean has(String any) {
    return at < text.length() && any.indexOf(text.charAt(at)) >= 0;
  }

  private char peek() throws NotJson {
    if (at >= text.length()) {
      throw wrong("the end is missing");
    }
    return text.charAt(at);
  }

  private NotJson wrong(String why) {
    return new NotJson(at, why);
  }
}
