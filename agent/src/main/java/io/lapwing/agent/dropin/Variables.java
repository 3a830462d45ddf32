package io.lapwing.agent.dropin;

import io.lapwing.agent.dropin.Place.Word;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The variables that a file sets, for the words that refer to them. */
final class Variables {

  /**
   * {@code $NAME}, {@code ${NAME}}, {@code ${NAME:-default}}, {@code $(NAME)} of Kubernetes or
   * {@code $(command)} of a shell, {@code $@}; compose and systemd write {@code $$} for a {@code $}
   * that the container's shell expands.
   */
  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\$?(?:\\{([^{}]*)}|\\(([^()]*)\\)|(\\w+|[@*]))");

  private static final Pattern DEFAULT = Pattern.compile("(?s)(\\w+):?[-=]([\"']?)(.*)\\2");
  private static final Pattern NAME = Pattern.compile("%?\\w+|[@*]");
  private static final Pattern ASSIGNMENT = Pattern.compile("(?s)([A-Za-z_]\\w*)=(.*?);?");
  private static final Set<String> DECLARATIONS = Set.of("export", "readonly", "local", "declare");

  private final Map<String, String> values = new HashMap<>();

  /** Characters that may still be inserted: values that double each other would fill the memory. */
  private int room = 1_000_000;

  void set(String name, String value) {
    values.put(name, value);
  }

  void setAll(Variables others) {
    values.putAll(others.values);
  }

  /** A command of a shell that has assignments only. */
  void assign(List<Word> command) {
    List<Matcher> assignments =
        command.stream()
            .map(Word::text)
            .dropWhile(DECLARATIONS::contains)
            .map(ASSIGNMENT::matcher)
            .toList();
    if (assignments.stream().allMatch(Matcher::matches)) {
      assignments.forEach(one -> assign(one.group(1), expand(one.group(2))));
    }
  }

  /** Which of two values counts may depend on a condition: neither is known then. */
  private void assign(String name, String value) {
    values.merge(name, value, (old, now) -> now.contains(old) ? now : "${" + name + "}");
  }

  /** A text with the values that are known; other references stay. */
  String expand(String text) {
    return REFERENCE.matcher(text).replaceAll(one -> Matcher.quoteReplacement(value(one)));
  }

  /** The reference that starts at a place of a text. */
  static Optional<MatchResult> reference(String text, int at) {
    Matcher matcher = REFERENCE.matcher(text).region(at, text.length());
    return matcher.lookingAt() ? Optional.of(matcher.toMatchResult()) : Optional.empty();
  }

  /** The value for a reference, or the reference. */
  String value(MatchResult reference) {
    String value = found(reference);
    if (value.length() > room) {
      return reference.group();
    }
    room -= value.length();
    return value;
  }

  private String found(MatchResult reference) {
    String inside = inside(reference);
    Matcher fallback = DEFAULT.matcher(inside);
    boolean hasDefault = reference.group(1) != null && fallback.matches();
    String value = values.getOrDefault(hasDefault ? fallback.group(1) : inside, "");
    if (hasDefault && value.isEmpty()) {
      return fallback.group(3);
    }
    return hasDefault || values.containsKey(inside) ? value : reference.group();
  }

  private static String inside(MatchResult reference) {
    return Stream.of(1, 2, 3)
        .flatMap(group -> Stream.ofNullable(reference.group(group)))
        .findFirst()
        .orElseThrow();
  }

  /** Why a text is not known: {@code the value of the variable ENGINE is not given here}. */
  static Optional<String> unknown(String text) {
    Matcher matcher = REFERENCE.matcher(text);
    if (!matcher.find()) {
      return text.contains("`") ? Optional.of("it is the output of a command") : Optional.empty();
    }
    String inside = inside(matcher);
    return Optional.of(
        NAME.matcher(inside).matches()
            ? "the value of the variable " + inside + " is not given here"
            : matcher.group(2) == null
                ? "the value of " + matcher.group() + " is not given here"
                : "it is the output of a command");
  }
}
