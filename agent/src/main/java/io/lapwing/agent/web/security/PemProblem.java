package io.lapwing.agent.web.security;

/** What is wrong with a certificate or a key, in words that tell nothing of its content. */
public final class PemProblem extends Exception {

  PemProblem(String message) {
    super(message);
  }

  PemProblem(String message, Throwable cause) {
    super(message, cause);
  }

  public String text() {
    return String.valueOf(getMessage());
  }
}
