package io.lapwing.xid;

/** The name of a program in the driver's messages, {@code name=NAME, MESSAGE}. */
public final class ProgramName {

  private ProgramName() {}

  /**
   * How many characters at the start of a message may be the rest of the program's name. A name has
   * at most 15 bytes and may contain the comma that ends it; only a known start of a message shows
   * its end.
   */
  public static int restIn(String name, String message) {
    int room =
        XidLine.ProcessText.MAX_NAME - name.length() - XidLine.ProcessText.SEPARATOR.length();
    if (name.isEmpty() || room <= 0 || XidLine.ProcessText.startsMessage(message, 0)) {
      return 0;
    }
    return message.length() <= room
        ? message.length()
        : Math.max(0, message.lastIndexOf(XidLine.ProcessText.SEPARATOR, room));
  }
}
