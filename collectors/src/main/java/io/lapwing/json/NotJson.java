package io.lapwing.json;

import java.io.IOException;

/** Text that is not JSON, is not of the expected shape, or exceeds a limit. */
public final class NotJson extends IOException {

  private static final long serialVersionUID = 1L;

  private final String reason;
  private final boolean truncated;

  public NotJson(String why, boolean truncated) {
    this(why, why, truncated);
  }

  /** Does not quote the text in {@code why}; {@code reason} may quote a character. */
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
