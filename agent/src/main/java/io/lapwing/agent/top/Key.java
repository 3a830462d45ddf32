package io.lapwing.agent.top;

/** A key, as its bytes arrive from a terminal. */
sealed interface Key {

  /** A key of the keyboard without a character. */
  enum Named implements Key {
    UP,
    DOWN,
    PAGE_UP,
    PAGE_DOWN,
    HOME,
    END,
    TAB,
    ENTER,
    ESCAPE,
    BACKSPACE,
    /** Ctrl-C. */
    INTERRUPT,
    /** Ctrl-L. */
    REDRAW,
    /** The terminal was closed. */
    GONE,
    OTHER
  }

  record Typed(char character) implements Key {}

  /** Of one character that is no escape sequence. */
  static Key of(int character) {
    return switch (character) {
      case -1 -> Named.GONE;
      case 3 -> Named.INTERRUPT;
      case '\t' -> Named.TAB;
      case '\r', '\n' -> Named.ENTER;
      case 12 -> Named.REDRAW;
      case 8, 127 -> Named.BACKSPACE;
      default ->
          character >= ' ' && character < Character.MAX_VALUE
              ? new Typed((char) character)
              : Named.OTHER;
    };
  }

  /** Of what follows ESC: {@code [A}, {@code OA}, {@code [5~}; the two forms of one key. */
  static Key ofSequence(String sequence) {
    return switch (sequence) {
      case "" -> Named.ESCAPE;
      case "[A", "OA" -> Named.UP;
      case "[B", "OB" -> Named.DOWN;
      case "[5~" -> Named.PAGE_UP;
      case "[6~" -> Named.PAGE_DOWN;
      case "[H", "OH", "[1~", "[7~" -> Named.HOME;
      case "[F", "OF", "[4~", "[8~" -> Named.END;
      default -> Named.OTHER;
    };
  }
}
