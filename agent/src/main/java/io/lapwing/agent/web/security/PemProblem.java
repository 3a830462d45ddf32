package io.lapwing.agent.web.security;

/** An invalid certificate or key. The message reveals nothing of its content. */
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
