package io.lapwing.agent.config;

/** A text that is no value of its type; the message continues "'text' ...". */
final class BadValue extends Exception {

  BadValue(String message) {
    // Expected and shown without a trace, so none is taken.
    super(message, null, false, false);
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
