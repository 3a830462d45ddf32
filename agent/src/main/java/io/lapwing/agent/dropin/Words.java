package io.lapwing.agent.dropin;

import io.lapwing.agent.dropin.Place.Word;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;

/** The words of a command line, split as a shell or systemd does, with the variables known. */
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
  private final Variables variables;
  private int line;

  /** The first word of the command. */
  private int command;

  private boolean started;

  private Words(Place place, String text, boolean isScript, Variables variables) {
    this.file = place.file();
    this.line = place.line();
    this.text = text;
    this.isScript = isScript;
    this.variables = variables;
  }

  /** The words of a text that starts at a line; its assignments are variables from there on. */
  static List<Word> of(Place place, String text, Variables variables) {
    return new Words(place, text, false, variables).words();
  }

  /** Those of a shell's script: {@code a;b} is two commands, which systemd does not know. */
  static List<Word> ofScript(Place place, String text, Variables variables) {
    return new Words(place, text, true, variables).words();
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
      } else if (sign == '$' && quote != '\'') {
        i = reference(i, quote == NO_QUOTE);
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
          endCommand(END);
        }
      } else if (isScript && isOperator(i)) {
        end();
        endCommand(END);
      } else if (sign == '#' && !started) {
        i = endOfLine(i) - 1;
      } else {
        add(sign);
      }
      line += sign == '\n' ? 1 : 0;
    }
    end();
    endCommand("");
  }

  /** Adds the value, whose blanks separate words without quotes; returns the last sign read. */
  private int reference(int at, boolean splits) {
    Optional<MatchResult> reference = Variables.reference(text, at);
    if (reference.isEmpty()) {
      add('$');
      return at;
    }
    String known = variables.value(reference.get());
    // The output of a command stays one word.
    boolean isKnown = !known.equals(reference.get().group());
    String value = isKnown ? known : known.replaceAll("\\s+", "…");
    for (int i = 0; i < value.length(); i++) {
      if (splits && Character.isWhitespace(value.charAt(i))) {
        end();
      } else {
        add(value.charAt(i));
      }
    }
    line += (int) reference.get().group().chars().filter(sign -> sign == '\n').count();
    return reference.get().end() - 1;
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
      String text = word.toString();
      word.setLength(0);
      started = false;
      if (Command.SEPARATORS.contains(text)) {
        endCommand(text);
      } else {
        words.add(new Word(new Place(file, line), text));
      }
    }
  }

  private void endCommand(String separator) {
    variables.assign(words.subList(command, words.size()));
    if (!separator.isEmpty()) {
      words.add(new Word(new Place(file, line), separator));
    }
    command = words.size();
  }
}
