package io.lapwing.agent.config;

/**
 * A text given for an option.
 *
 * @param place where it was given, as an error line begins
 */
record Given(Option<?> option, String text, String place) {

  String problem(String message) {
    return place + ": " + message;
  }
}
