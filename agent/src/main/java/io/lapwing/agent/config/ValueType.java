package io.lapwing.agent.config;

/**
 * A type of value an option can have.
 *
 * @param placeholder stands for the value in help texts
 * @param repeatable whether a flag may be given more than once; the texts are joined with commas
 */
record ValueType<T>(String placeholder, boolean repeatable, Parser<T> parser) {

  /** Makes a value of text. */
  interface Parser<T> {
    T parse(String text) throws BadValue;
  }

  static <T> ValueType<T> of(String placeholder, Parser<T> parser) {
    return new ValueType<>(placeholder, false, parser);
  }

  T parse(String text) throws BadValue {
    return parser.parse(text);
  }
}
