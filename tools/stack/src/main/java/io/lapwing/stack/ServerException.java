package io.lapwing.stack;

/** A server did not start, did not answer, or returned an error. */
public final class ServerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ServerException(String message) {
    super(message);
  }

  ServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
