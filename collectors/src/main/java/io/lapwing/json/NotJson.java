package io.lapwing.json;

import java.io.IOException;

/** Text that is not JSON, is not of the expected shape, or exceeds a limit. */
public final class NotJson extends IOException {

  private static final long serialVersionUID = 1L;

  private final boolean truncated;

  /**
   * A fault at one place.
   *
   * @param why without the text itself, which may be anything
   * @param truncated whether the source ended before its last value did
   */
  public NotJson(String why, boolean truncated) {
    super(why);
    this.truncated = truncated;
  }

  /** Whether the source ended too early, whatever the parser made of it. */
  public boolean truncated() {
    return truncated;
  }
}
