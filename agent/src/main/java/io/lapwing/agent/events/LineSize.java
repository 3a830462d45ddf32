package io.lapwing.agent.events;

/** How long the line of an event is, about; rather too much than too little. */
final class LineSize {

  /** Names of members, a time, a UUID, some numbers. */
  private static final int OF_FAULT = 320;

  private static final int OF_OTHERS = 210;

  /** {@code \\u0000}. */
  private static final int ESCAPED = 6;

  private LineSize() {}

  /** In bytes. */
  static int of(Event event) {
    if (event instanceof Event.Xid xid) {
      return OF_FAULT + of(xid.message()) + of(xid.process());
    }
    if (event instanceof Event.SXid sxid) {
      return OF_FAULT + of(sxid.message());
    }
    if (event instanceof Event.FindingOpened opened) {
      return OF_OTHERS + of(opened.what()) + of(opened.subject());
    }
    return event instanceof Event.OperatorCleared cleared
        ? OF_OTHERS + of(cleared.note()) + of(cleared.subject())
        : OF_OTHERS;
  }

  private static int of(String text) {
    int size = 0;
    for (int i = 0; i < Math.min(text.length(), BoundedText.MESSAGE); i++) {
      char c = text.charAt(i);
      size += c < ' ' || c > '~' || c == '"' || c == '\\' ? ESCAPED : 1;
    }
    return size;
  }
}
