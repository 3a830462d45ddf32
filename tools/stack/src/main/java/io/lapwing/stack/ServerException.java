package io.lapwing.stack;

/** A server that did not start, did not answer, or answered that it could not. */
public final class ServerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ServerException(String message) {
    super(message);
  }

  ServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
