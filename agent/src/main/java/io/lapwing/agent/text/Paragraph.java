package io.lapwing.agent.text;

/** Words in lines of one width. */
public final class Paragraph {

  /** What is read without moving the head. */
  public static final int WIDTH = 100;

  private Paragraph() {}

  /**
   * The text as lines, each ended.
   *
   * @param first what the first line begins with
   * @param rest what the others begin with, of the same length for a straight edge
   * @param text is made plain; a word longer than a line stays whole
   */
  public static String of(String first, String rest, String text) {
    StringBuilder all = new StringBuilder(first);
    int column = first.length();
    boolean begun = false;
    for (String word : PlainText.of(text).split(" ", -1)) {
      if (begun && column + 1 + word.length() > WIDTH) {
        all.append('\n').append(rest).append(word);
        column = rest.length() + word.length();
      } else {
        all.append(begun ? " " : "").append(word);
        column += word.length() + (begun ? 1 : 0);
      }
      begun = true;
    }
    return all.append('\n').toString();
  }
}
