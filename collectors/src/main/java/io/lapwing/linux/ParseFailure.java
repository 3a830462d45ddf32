package io.lapwing.linux;

/** A kernel file with unexpected content, and the place of it. */
public final class ParseFailure extends Exception {

  private static final long serialVersionUID = 1L;

  private final String file;
  private final int line;

  /** A failure at a line, from 1; {@code why} does not quote the text, which may be anything. */
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
