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

  private static final Set<String> JOINS = Set.of("group_left", "group_right");

  private final Tokens tokens;
  private final Translation translation;
  private final Edits edits;

  Expression(Passage passage, Translation translation, Edits edits) {
    this.tokens = new Tokens(passage.text());
    this.translation = translation;
    this.edits = edits;
  }

  /** Returns whether the label of the host has its new name everywhere. */
  boolean translate() {
    Optional<Token> name = tokens.nameAsLabel().filter(token -> readsRenamed());
    if (name.isPresent()) {
      edits.warn(
          name.get().start(),
          "the expression stays: it uses __name__, which would be another name of the family");
      return words(translation.oldHostname()).isEmpty();
    }
    boolean other = !translation.hostnameIsOfDcgm() && tokens.readsOthersThan("DCGM_");
    boolean stays = hostnameStays(other);
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (token.kind() == Token.Kind.STRING) {
        string(token, stays);
      } else if (token.isWord()) {
        word(i, stays);
      }
    }
    return !other && (!stays || words(translation.oldHostname()).isEmpty());
  }

  private boolean readsRenamed() {
    return tokens.stream().anyMatch(token -> translation.family(token.text()).isPresent());
  }

  /** An expression that names both is for both; one that reads other series may mean theirs. */
  private boolean hostnameStays(boolean other) {
    boolean both = tokens.mentions(translation.newHostname());
    if (other || both) {
      words(translation.oldHostname())
          .ifPresent(
              token ->
                  edits.warn(
                      token.start(),
                      "the label "
                          + token.text()
                          + " stays: "
                          + (both ? "both spellings are named" : "other series may have it")));
    }
    return other || both;
  }

  private Optional<Token> words(String text) {
    return tokens.stream().filter(token -> token.isWord() && token.is(text)).findFirst();
  }

  private void word(int at, boolean hostnameStays) {
    Token token = tokens.get(at);
    Optional<Translation.Name> family = translation.family(token.text());
    if (family.isPresent() && !tokens.isLabel(at)) {
      edits.replace(token.start(), token.end(), family.get().other());
      family.get().scale().ifPresent(scale -> scale(at, scale));
    } else {
      translation
          .driverLabel(token.text())
          .ifPresent(label -> edits.replace(token.start(), token.end(), label));
      label(token.text(), token.start(), hostnameStays);
    }
  }

  /** A label as an argument of {@code label_replace}, or names in a matcher. */
  private void string(Token token, boolean hostnameStays) {
    label(token.content(), token.start() + 1, hostnameStays);
    translation.names(token.content(), token.start() + 1, edits, true);
    if (Translation.mayMatchNames(token.content())) {
      edits.warn(token.start(), "the pattern " + token.text() + " may need other names");
    }
  }

  private void label(String name, int start, boolean hostnameStays) {
    if (name.equals(translation.oldHostname()) && !hostnameStays) {
      edits.replace(start, start + name.length(), translation.newHostname());
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
          tokens.get(name).text() + " changes its unit; this use of a range is not converted");
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
    if (isFactor(last + 1, scale.inverse())
        && tokens.is(first - 1, "(")
        && tokens.is(last + 3, ")")) {
      edits.replace(end, tokens.get(last + 2).end(), "");
      if (tokens.isGroup(first - 1)) {
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
}
