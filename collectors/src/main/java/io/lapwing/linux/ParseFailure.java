package io.lapwing.linux;

/** A file of the kernel that does not say what it should, with the place where it does not. */
public final class ParseFailure extends Exception {

  private static final long serialVersionUID = 1L;

  private final String file;
  private final int line;

  /**
   * A failure at one place.
   *
   * @param line of the file, from 1
   * @param why what is wrong there, without the text itself: it may be anything
   */
  public ParseFailure(String file, int line, String why) {
    super(file + ":" + line + ": " + why);
    this.file = file;
    this.line = line;
  }

  public String file() {
    return file;
  }

  public int line() {
    return line;
  }
}
