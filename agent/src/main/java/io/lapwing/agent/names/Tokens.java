package io.lapwing.agent.names;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The structure of an expression, as far as a translation needs it; places are token indexes. */
final class Tokens {

  private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "atan2");
  private static final Set<String> OTHER_KEYWORDS = Set.of("offset", "inf", "nan");
  private static final Set<String> AGGREGATIONS = Set.of("by", "without");
  private static final Set<String> MATCHINGS =
      Set.of("on", "ignoring", "group_left", "group_right");

  private static final String NAME = "__name__";

  /** Enough to tell the arguments of {@code label_replace} apart. */
  private static final int MAX_ARGUMENTS = 5;

  /** A pattern of DCGM's families alone. */
  private static final Pattern FAMILIES = Pattern.compile(".\\(?DCGM_[^|]*+(?:\\|DCGM_[^|]*+)*+");

  private final List<Token> all;

  /** By token: the bracket around it, or -1; and of a bracket the one that closes it. */
  private final int[] around;

  private final int[] closing;
  private final Map<Integer, Optional<Integer>> nameStrings = new HashMap<>();
  private final Map<Integer, String> selected = new HashMap<>();
  private final Map<Integer, List<Integer>> commas = new HashMap<>();

  Tokens(String expression) {
    this.all = Token.all(expression);
    this.around = new int[all.size()];
    this.closing = new int[all.size()];
    pairBrackets();
  }

  private void pairBrackets() {
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < all.size(); i++) {
      around[i] = open.isEmpty() ? -1 : open.peek();
      int depth = depth(all.get(i));
      closing[i] = depth > 0 ? all.size() - 1 : i;
      if (depth > 0) {
        open.push(i);
      } else if (depth < 0 && !open.isEmpty()) {
        closing[open.pop()] = i;
      }
    }
  }

  Stream<Token> stream() {
    return all.stream();
  }

  int size() {
    return all.size();
  }

  Token get(int at) {
    return all.get(at);
  }

  boolean is(int at, String sign) {
    return at >= 0 && at < all.size() && all.get(at).is(sign);
  }

  boolean isWord(int at, Set<String> words) {
    return at >= 0 && at < all.size() && all.get(at).isWord() && words.contains(all.get(at).text());
  }

  /** The token after a selector's name and matchers, or after matchers alone. */
  int afterSelector(int name) {
    if (is(name, "{")) {
      return closing(name) + 1;
    }
    return is(name + 1, "{") ? closing(name + 1) + 1 : name + 1;
  }

  /** The token after {@code offset -5m}, {@code @ end()} and the like. */
  int afterModifiers(int at) {
    int next = at;
    while (true) {
      if (!is(next, "offset") && !is(next, "@")) {
        return Math.min(next, all.size());
      }
      int value = is(next + 1, "-") || is(next + 1, "+") ? next + 2 : next + 1;
      boolean call = is(next, "@") && is(value + 1, "(");
      next = call || is(value, "(") ? closing(call ? value + 1 : value) + 1 : value + 1;
    }
  }

  /** Whether a range has a step; the colon in a variable of Grafana is before its format. */
  boolean isSubquery(int bracket) {
    int end = closing(bracket);
    for (int i = bracket; i < end; i++) {
      if (all.get(i).text().contains(":")
          && all.get(i).kind() != Token.Kind.STRING
          && all.get(i).kind() != Token.Kind.VARIABLE) {
        return true;
      }
    }
    return false;
  }

  /** The sign that closes the one here; the last token if none does. */
  int closing(int open) {
    return open < all.size() ? closing[open] : all.size() - 1;
  }

  /** The bracket around a token. */
  Optional<Integer> opening(int at) {
    return around[at] < 0 ? Optional.empty() : Optional.of(around[at]);
  }

  private static int depth(Token token) {
    if (token.is("(") || token.is("[") || token.is("{")) {
      return 1;
    }
    return token.is(")") || token.is("]") || token.is("}") ? -1 : 0;
  }

  /** Whether a token is in matchers, or in the labels of {@code by} and the like. */
  boolean isLabel(int at) {
    return opening(at)
        .map(open -> is(open, "{") || (is(open, "(") && isGrouping(open - 1)))
        .orElse(false);
  }

  /** Whether a string may be a label's name: it is no matcher's value, pattern or new value. */
  boolean mayNameLabel(int at) {
    if (is(at - 1, "=") || is(at - 1, "~")) {
      return false;
    }
    Optional<Integer> open = opening(at).filter(bracket -> is(bracket, "("));
    if (open.isEmpty()) {
      return true;
    }
    List<Integer> before = commas.computeIfAbsent(open.get(), this::findCommas);
    int argument = (int) before.stream().filter(comma -> comma < at).count();
    return is(open.get() - 1, "label_replace")
        ? argument == 1 || argument == 3
        : argument != 2 || !is(open.get() - 1, "label_join");
  }

  /** The first ones of a call. */
  private List<Integer> findCommas(int open) {
    return IntStream.range(open + 1, closing(open))
        .filter(i -> is(i, ",") && around[i] == open)
        .limit(MAX_ARGUMENTS)
        .boxed()
        .toList();
  }

  /** Whether it names a label, as a word or as an argument. */
  boolean mentions(String label) {
    return stream()
        .anyMatch(
            token ->
                token.kind() == Token.Kind.STRING
                    ? token.content().equals(label)
                    : token.is(label));
  }

  /**
   * Where the name of a series becomes a label's value, as by {@code label_replace}, or is grouped
   * by; not where it selects series.
   */
  Optional<Token> nameAsLabel() {
    for (int i = 0; i < all.size(); i++) {
      Token token = all.get(i);
      boolean argument = token.kind() == Token.Kind.STRING && token.content().equals(NAME);
      boolean grouped =
          token.is(NAME) && isLabel(i) && opening(i).filter(at -> is(at, "(")).isPresent();
      if (argument || grouped) {
        return Optional.of(token);
      }
    }
    return Optional.empty();
  }

  /**
   * The names of the series that it reads; an empty one where the name is a pattern or variable.
   */
  Stream<String> series() {
    return IntStream.range(0, all.size()).boxed().flatMap(at -> seriesAt(at).stream());
  }

  private Optional<String> seriesAt(int at) {
    if (is(at, "{")) {
      return isMetric(owner(at)) ? Optional.empty() : Optional.of(nameIn(at));
    }
    return isMetric(at) ? Optional.of(all.get(at).text()) : Optional.empty();
  }

  /** The name of the series of the matchers in this bracket; empty if it is not known. */
  String selected(int bracket) {
    return selected.computeIfAbsent(bracket, this::findSelected);
  }

  private String findSelected(int bracket) {
    int owner = owner(bracket);
    return isMetric(owner) ? all.get(owner).text() : nameIn(bracket);
  }

  /** The name of the series of a selector, which begins with its name or its matchers. */
  String selectedBy(int first) {
    return is(first, "{") ? selected(first) : all.get(first).text();
  }

  /** The word before a bracket, also where a variable completes it. */
  private int owner(int bracket) {
    return isMadeOfVariable(bracket - 2) ? bracket - 2 : bracket - 1;
  }

  /** Whether a variable makes the rest of a word: {@code DCGM_FI_DEV_$metric}. */
  boolean isMadeOfVariable(int word) {
    return word >= 0
        && word + 1 < all.size()
        && all.get(word).isWord()
        && all.get(word + 1).kind() == Token.Kind.VARIABLE
        && all.get(word).end() == all.get(word + 1).start();
  }

  private String nameIn(int bracket) {
    int end = endOfMatchers(bracket);
    for (int i = bracket + 1; i < end; i++) {
      boolean pattern = is(i - 1, "~") && is(i - 2, "=") && is(i - 3, NAME);
      if (pattern && FAMILIES.matcher(all.get(i).text()).matches()) {
        return all.get(i).content();
      }
    }
    return nameString(bracket).map(at -> all.get(at).content()).orElse("");
  }

  /** The one name in <code>{__name__="x"}</code> or <code>{"x"}</code>. */
  Optional<Integer> nameString(int bracket) {
    return nameStrings.computeIfAbsent(bracket, this::findNameString);
  }

  private Optional<Integer> findNameString(int bracket) {
    int end = endOfMatchers(bracket);
    for (int i = bracket + 1; i < end; i++) {
      boolean matched = is(i - 1, "=") && is(i - 2, NAME);
      boolean alone = (is(i - 1, "{") || is(i - 1, ",")) && (is(i + 1, "}") || is(i + 1, ","));
      if (all.get(i).kind() == Token.Kind.STRING && (matched || alone)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  /** Matchers have no brackets in them. */
  private int endOfMatchers(int bracket) {
    int end = bracket + 1;
    while (end < closing(bracket) && !is(end, "{")) {
      end++;
    }
    return end;
  }

  /** Whether a word is the name of a series: no function, keyword, label or unit. */
  private boolean isMetric(int at) {
    return at >= 0
        && all.get(at).isWord()
        && !isKeyword(all.get(at).text().toLowerCase(Locale.ROOT))
        && !isGrouping(at)
        && !is(at + 1, "(")
        && !isWord(at + 1, AGGREGATIONS)
        && !isLabel(at)
        && opening(at).filter(open -> is(open, "[") || isLabelArgument(open, at)).isEmpty();
  }

  private static boolean isKeyword(String lowerCase) {
    return OPERATORS.contains(lowerCase) || OTHER_KEYWORDS.contains(lowerCase);
  }

  private boolean isGrouping(int at) {
    return isWord(at, AGGREGATIONS) || isWord(at, MATCHINGS);
  }

  /** Whether a word is the label in a query of a variable of Grafana. */
  private boolean isLabelArgument(int open, int at) {
    return is(open - 1, "label_names")
        || is(open - 1, "metrics")
        || (is(open - 1, "label_values") && is(at + 1, ")"));
  }

  /** Whether an operand ends here, so that a sign after it is no sign of a number. */
  boolean isOperandEnd(int at) {
    if (at < 0 || isWord(at, OPERATORS) || isGrouping(at)) {
      return false;
    }
    if (is(at, ")")) {
      return opening(at).filter(open -> isWord(open - 1, MATCHINGS)).isEmpty();
    }
    return all.get(at).kind() != Token.Kind.SIGN || is(at, "]") || is(at, "}");
  }

  /** Whether a parenthesis only groups: it is neither a call nor the argument of an aggregation. */
  boolean isGroup(int open) {
    int before = open - 1;
    if (!is(open, "(") || before < 0) {
      return is(open, "(");
    }
    if (is(before, ")")) {
      return opening(before).filter(labels -> isWord(labels - 1, MATCHINGS)).isPresent();
    }
    return isWord(before, OPERATORS) || all.get(before).kind() == Token.Kind.SIGN;
  }
}
