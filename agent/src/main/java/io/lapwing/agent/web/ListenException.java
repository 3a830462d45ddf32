package io.lapwing.agent.web;

import io.lapwing.agent.config.ListenAddress;

/** An address that cannot be listened on, in one line that names it. */
public final class ListenException extends Exception {

  ListenException(ListenAddress address, Throwable cause) {
    super("web.listen-address: cannot listen on " + address + ": " + reason(cause), cause);
  }

  /** The operating system's word is at the bottom. */
  private static String reason(Throwable thrown) {
    Throwable bottom = thrown;
    while (bottom.getCause() != null) {
      bottom = bottom.getCause();
    }
    String message = bottom.getMessage();
    return message == null ? bottom.getClass().getSimpleName() : message;
  }
}
