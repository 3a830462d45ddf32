package io.lapwing.json;

import java.io.IOException;

/** Text that is not JSON, is not of the expected shape, or exceeds a limit. */
public final class NotJson extends IOException {

  private static final long serialVersionUID = 1L;

  private final String reason;
  private final boolean truncated;

  /** A fault without a place. */
  public NotJson(String why, boolean truncated) {
    this(why, why, truncated);
  }

  /**
   * A fault; {@code why} does not quote the text, the parser's {@code reason} may quote a
   * character.
   */
  NotJson(String why, String reason, boolean truncated) {
    super(why);
    this.reason = reason;
    this.truncated = truncated;
  }

  /** Without the place, which a line of a file has already. */
  public String reason() {
    return reason;
  }

  /** Whether the source ended too early, whatever the parser made of it. */
  public boolean truncated() {
    return truncated;
  }
}
