package io.lapwing.agent.top;

import io.lapwing.agent.top.Line.Span;
import io.lapwing.agent.top.Line.Tone;
import io.lapwing.common.text.PlainText;

/** What all sections of the screen share. */
final class SectionText {

  private SectionText() {}

  static Line title(String name, String what) {
    return Line.of(new Span(Tone.TITLE, name), Span.of("  " + what));
  }

  static String cut(String text, int width) {
    return PlainText.of(text, width);
  }
}
