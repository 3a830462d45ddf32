package io.lapwing.agent.dropin;

import io.lapwing.agent.dropin.Place.Word;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The words of a command line, split as a shell or systemd does; nothing is expanded. */
final class Words {

  /** The end of a line is the end of a command. */
  static final String END = ";";

  private static final char NO_QUOTE = 0;

  /** What ends a command of a shell without a blank before it. */
  private static final String OPERATORS = ";&|";

  private final List<Word> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private final Path file;
  private final String text;
  private final boolean isScript;
  private int line;
  private boolean started;

  private Words(Place place, String text, boolean isScript) {
    this.file = place.file();
    this.line = place.line();
    this.text = text;
    this.isScript = isScript;
  }

  /** The words of a text that starts at a line. */
  static List<Word> of(Place place, String text) {
    return new Words(place, text, false).words();
  }

  /** Those of a shell's script: {@code a;b} is two commands, which systemd does not know. */
  static List<Word> ofScript(Place place, String text) {
    return new Words(place, text, true).words();
  }

  private List<Word> words() {
    read();
    return List.copyOf(words);
  }

  private void read() {
    char quote = NO_QUOTE;
    for (int i = 0; i < text.length(); i++) {
      char sign = text.charAt(i);
      boolean escapes = sign == '\\' && quote != '\'' && i + 1 < text.length();
      if (escapes) {
        i++;
        escaped(text.charAt(i));
      } else if (quote != NO_QUOTE && sign == quote) {
        quote = NO_QUOTE;
      } else if (quote != NO_QUOTE) {
        add(sign);
      } else if (sign == '"' || sign == '\'') {
        quote = sign;
        started = true;
      } else if (Character.isWhitespace(sign)) {
        end();
        if (sign == '\n') {
          words.add(new Word(new Place(file, line), END));
        }
      } else if (isScript && isOperator(i)) {
        end();
        words.add(new Word(new Place(file, line), END));
      } else if (sign == '#' && !started) {
        i = endOfLine(i) - 1;
      } else {
        add(sign);
      }
      line += sign == '\n' ? 1 : 0;
    }
    end();
  }

  /** Not the {@code &} of a redirection, as in {@code 2>&1}. */
  private boolean isOperator(int at) {
    boolean redirects = (at > 0 && text.charAt(at - 1) == '>') || text.startsWith("&>", at);
    return OPERATORS.indexOf(text.charAt(at)) >= 0 && !redirects;
  }

  private int endOfLine(int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
  }

  private void escaped(char sign) {
    if (sign == '\n') {
      line++;
    } else {
      add(sign);
    }
  }

  private void add(char sign) {
    word.append(sign);
    started = true;
  }

  private void end() {
    if (started) {
      words.add(new Word(new Place(file, line), word.toString()));
      word.setLength(0);
      started = false;
    }
  }
}
