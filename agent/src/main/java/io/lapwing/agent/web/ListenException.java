package io.lapwing.agent.web;

import io.lapwing.agent.config.ListenAddress;

/** A listen address could not be bound; the message names it. */
public final class ListenException extends Exception {

  ListenException(ListenAddress address, Throwable cause) {
    super("web.listen-address: cannot listen on " + address + ": " + reason(cause), cause);
  }

  /** The root cause has the message of the operating system. */
  private static String reason(Throwable thrown) {
    Throwable bottom = thrown;
    while (bottom.getCause() != null) {
      bottom = bottom.getCause();
    }
    String message = bottom.getMessage();
    return message == null ? bottom.getClass().getSimpleName() : message;
  }
}
