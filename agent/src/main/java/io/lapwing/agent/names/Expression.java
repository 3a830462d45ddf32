package io.lapwing.agent.names;

import io.lapwing.gpu.DcgmNames.Scale;
import java.util.Optional;
import java.util.Set;

/** One expression: its families and labels under other names, with the values that it had. */
final class Expression {

  /** Functions whose result does not depend on a factor, or that need a bare selector. */
  private static final Set<String> UNSCALED =
      Set.of(
          "absent",
          "absent_over_time",
          "present_over_time",
          "count_over_time",
          "changes",
          "resets",
          "timestamp",
          "label_values",
          "label_names",
          "metrics");

  /** Functions of a range whose result has the factor of their argument. */
  private static final Set<String> LINEAR =
      Set.of(
          "rate",
          "irate",
          "increase",
          "delta",
          "idelta",
          "deriv",
          "predict_linear",
          "holt_winters",
          "double_exponential_smoothing",
          "avg_over_time",
          "sum_over_time",
          "min_over_time",
          "max_over_time",
          "first_over_time",
          "last_over_time",
          "quantile_over_time",
          "stddev_over_time",
          "mad_over_time");

  private static final String IN_STRING = "and its name in a string is not converted";

  private static final Set<String> JOINS = Set.of("group_left", "group_right");

  /** What ends or binds less than a factor, before its left operand. */
  private static final Set<String> WEAKER = Set.of("and", "or", "unless", "bool");

  private static final Set<String> WEAKER_SIGNS = Set.of("(", ",", ">", "<", "=");

  private final Tokens tokens;
  private final Translation translation;
  private final Edits edits;

  private final Hosts hosts;

  Expression(Passage passage, Translation translation, Hosts hosts, Edits edits) {
    this.tokens = new Tokens(passage.text());
    this.translation = translation;
    this.edits = edits;
    this.hosts = hosts;
  }

  void translate() {
    Optional<Token> name = tokens.nameAsLabel().filter(token -> readsRenamed());
    if (name.isPresent()) {
      edits.warn(
          name.get().start(),
          "the expression stays: it uses __name__, which would be another name of the family");
      return;
    }
    Host host = host();
    boolean both = host != Host.OF_OTHERS && tokens.mentions(translation.newHostname());
    boolean warned = false;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      Host here = hostAt(i, host);
      boolean old = isOldHostname(i);
      if (old && here == Host.OF_DCGM && !both) {
        int quote = token.isWord() ? 0 : 1;
        edits.replace(token.start() + quote, token.end() - quote, translation.newHostname());
      } else if (old && here != Host.OF_OTHERS && !warned && (token.isWord() || !both)) {
        warned = true;
        edits.warn(
            token.start(), "the label " + translation.oldHostname() + " stays: " + why(both));
      }
      if (token.kind() == Token.Kind.STRING) {
        string(i);
      } else if (token.isWord()) {
        word(i);
      }
    }
  }

  private boolean isOldHostname(int at) {
    Token token = tokens.get(at);
    return token.kind() == Token.Kind.STRING
        ? token.content().equals(translation.oldHostname()) && tokens.mayNameLabel(at)
        : token.is(translation.oldHostname());
  }

  /** Of an expression without series, only a query for the values of a label has a host. */
  private Host host() {
    Host host = hosts.of(tokens);
    if (host != Host.NONE) {
      return host;
    }
    return tokens.is(0, "label_values") ? hosts.ofFile() : Host.OF_OTHERS;
  }

  /** A matcher's label is that of its selector; any other is that of the whole expression. */
  private Host hostAt(int at, Host expression) {
    return tokens
        .opening(at)
        .filter(open -> tokens.is(open, "{"))
        .map(open -> hosts.of(tokens.selected(open)))
        .orElse(expression);
  }

  private String why(boolean both) {
    String other =
        tokens.series().filter(name -> hosts.of(name) != Host.OF_DCGM).findFirst().orElse("");
    return both
        ? "both spellings are named"
        : (other.isEmpty() ? "other series" : other)
            + " may have it; DCGM's series have "
            + translation.newHostname()
            + ", and a join by it needs the same label on both sides";
  }

  private boolean readsRenamed() {
    return tokens.stream().anyMatch(token -> translation.family(token.text()).isPresent());
  }

  private void word(int at) {
    Token token = tokens.get(at);
    Optional<Translation.Name> family = translation.family(token.text());
    if (tokens.isMadeOfVariable(at)) {
      translation.madeOfVariable(token.text(), tokens.get(at + 1).text(), token.start(), edits);
    } else if (family.isPresent() && !tokens.isLabel(at)) {
      edits.replace(token.start(), token.end(), family.get().other());
      family.get().scale().ifPresent(scale -> scale(at, scale));
    } else {
      translation
          .driverLabel(token.text())
          .ifPresent(label -> edits.replace(token.start(), token.end(), label));
    }
  }

  /** Names in a matcher. */
  private void string(int at) {
    Token token = tokens.get(at);
    Optional<Translation.Name> family = translation.family(token.content());
    Optional<Integer> bracket =
        tokens
            .opening(at)
            .filter(
                open -> tokens.is(open, "{") && tokens.nameString(open).equals(Optional.of(at)));
    if (family.isPresent() && bracket.isPresent()) {
      edits.replace(token.start() + 1, token.end() - 1, family.get().other());
      family.get().scale().ifPresent(scale -> scale(bracket.get(), scale));
    } else {
      translation.names(token.content(), token.start() + 1, edits, Optional.of(IN_STRING));
    }
    if (Translation.mayMatchNames(token.content())) {
      edits.warn(token.start(), "the pattern " + token.text() + " may need other names");
    }
  }

  private void scale(int name, Scale scale) {
    int after = tokens.afterSelector(name);
    boolean range = tokens.is(after, "[") && !tokens.isSubquery(after);
    int last = tokens.afterModifiers(range ? tokens.closing(after) + 1 : after) - 1;
    if (isInUnscaled(name, last)) {
      return;
    }
    Optional<Integer> open = tokens.opening(name).filter(sign -> tokens.is(sign, "("));
    if (!range) {
      scale(name, last, scale);
    } else if (open.isPresent() && tokens.isWord(open.get() - 1, LINEAR)) {
      scale(open.get() - 1, tokens.closing(open.get()), scale);
    } else {
      edits.warn(
          tokens.get(name).start(),
          tokens.selectedBy(name) + " changes its unit; this use of a range is not converted");
    }
  }

  /** Whether a selector, with or without parentheses, is all of such a function's argument. */
  private boolean isInUnscaled(int name, int end) {
    int first = name;
    int last = end;
    while (tokens.isGroup(first - 1) && tokens.is(last + 1, ")")) {
      first--;
      last++;
    }
    return tokens.is(first - 1, "(")
        && tokens.isWord(first - 2, UNSCALED)
        && (tokens.is(last + 1, ")") || tokens.is(last + 1, ","));
  }

  /** Converts the value of some tokens, or removes an earlier conversion. */
  private void scale(int first, int last, Scale scale) {
    int start = tokens.get(first).start();
    int end = tokens.get(last).end();
    if (isFactor(last + 1, scale.inverse()) && !bindsBefore(first) && !tokens.is(last + 3, "^")) {
      edits.replace(end, tokens.get(last + 2).end(), "");
      if (tokens.isGroup(first - 1) && tokens.is(last + 3, ")")) {
        edits.replace(tokens.get(first - 1).start(), start, "");
        edits.replace(tokens.get(last + 2).end(), tokens.get(last + 3).end(), "");
      }
      return;
    }
    // After group_left, a parenthesis would be its list of labels.
    edits.insert(start, tokens.isWord(first - 1, JOINS) ? "() (" : "(");
    edits.insert(end, " " + scale + ")");
  }

  private boolean isFactor(int at, Scale scale) {
    return tokens.is(at, scale.operator()) && tokens.is(at + 1, String.valueOf(scale.by()));
  }

  /** Whether what is before an operand may bind it before a factor after it. */
  private boolean bindsBefore(int first) {
    int before = first - 1;
    while (tokens.is(before, "-") || tokens.is(before, "+")) {
      before--;
    }
    int at = before;
    boolean sum = at < first - 1 && tokens.isOperandEnd(at);
    return at >= 0
        && !sum
        && WEAKER_SIGNS.stream().noneMatch(sign -> tokens.is(at, sign))
        && !tokens.isWord(at, WEAKER);
  }
}
