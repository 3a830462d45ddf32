package io.lapwing.rules.promql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.rules.promql.Expr.Aggregation;
import io.lapwing.rules.promql.Expr.Binary;
import io.lapwing.rules.promql.Expr.Call;
import io.lapwing.rules.promql.Expr.Grouping;
import io.lapwing.rules.promql.Expr.Literal;
import io.lapwing.rules.promql.Expr.Matcher;
import io.lapwing.rules.promql.Expr.Matching;
import io.lapwing.rules.promql.Expr.Selector;
import io.lapwing.rules.promql.Expr.Subquery;
import io.lapwing.rules.promql.Expr.Text;
import io.lapwing.rules.promql.Expr.Unary;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PromqlTest {

  private static Selector series(String name) {
    return new Selector(name, List.of(), Optional.empty());
  }

  private static Binary plain(String operator, Expr left, Expr right) {
    return new Binary(operator, false, Matching.PLAIN, left, right);
  }

  @Test
  void aSelectorHasItsMatchersUnquoted() {
    assertThat(Promql.parse("up{job=\"a\\\"b\", by!~'x|y}',} [5m]"))
        .isEqualTo(
            new Selector(
                "up",
                List.of(new Matcher("job", "=", "a\"b"), new Matcher("by", "!~", "x|y}")),
                Optional.of(Duration.ofMinutes(5))));
  }

  @Test
  void aNameWithinTheBracesIsTheName() {
    assertThat(Promql.parse("{__name__=\"instance:x:sum\"}")).isEqualTo(series("instance:x:sum"));
    assertThat(Promql.parse("{__name__=~\"lapwing_.+\"}"))
        .isEqualTo(
            new Selector(
                "", List.of(new Matcher("__name__", "=~", "lapwing_.+")), Optional.empty()));
  }

  @Test
  void productsBindTighterThanSumsAndThoseThanComparisonsAndThoseThanSets() {
    assertThat(Promql.parse("a + b * c > 1 and d or e"))
        .isEqualTo(
            plain(
                "or",
                plain(
                    "and",
                    plain(
                        ">",
                        plain("+", series("a"), plain("*", series("b"), series("c"))),
                        new Literal(1)),
                    series("d")),
                series("e")));
  }

  @Test
  void differencesGroupToTheLeftAndPowersToTheRight() {
    assertThat(Promql.parse("a - b - c"))
        .isEqualTo(plain("-", plain("-", series("a"), series("b")), series("c")));
    assertThat(Promql.parse("a ^ b ^ c"))
        .isEqualTo(plain("^", series("a"), plain("^", series("b"), series("c"))));
    assertThat(Promql.parse("-a ^ 2 * b"))
        .isEqualTo(
            plain("*", new Unary("-", plain("^", series("a"), new Literal(2))), series("b")));
  }

  @Test
  void parenthesesHoldTogether() {
    assertThat(Promql.parse("a * (b + c)"))
        .isEqualTo(plain("*", series("a"), plain("+", series("b"), series("c"))));
  }

  @Test
  void matchingIsReadWithTheLabelsItTakesOver() {
    assertThat(Promql.parse("a * on (cluster, instance) group_left (instance_type) b"))
        .isEqualTo(
            new Binary(
                "*",
                false,
                new Matching(
                    Optional.of(new Grouping(true, List.of("cluster", "instance"))),
                    Matching.Many.LEFT,
                    List.of("instance_type")),
                series("a"),
                series("b")));
    assertThat(Promql.parse("a == bool ignoring (x) group_right b"))
        .isEqualTo(
            new Binary(
                "==",
                true,
                new Matching(
                    Optional.of(new Grouping(false, List.of("x"))), Matching.Many.RIGHT, List.of()),
                series("a"),
                series("b")));
  }

  @Test
  void labelsOfAnAggregationPrecedeOrFollowTheOperand() {
    Expr expected =
        new Aggregation(
            "sum", Optional.of(new Grouping(true, List.of("le"))), List.of(series("a")));
    assertThat(Promql.parse("sum by (le) (a)")).isEqualTo(expected);
    assertThat(Promql.parse("SUM(a) by (le,)")).isEqualTo(expected);
    assertThat(Promql.parse("quantile without (x) (0.9, a)"))
        .isEqualTo(
            new Aggregation(
                "quantile",
                Optional.of(new Grouping(false, List.of("x"))),
                List.of(new Literal(0.9), series("a"))));
  }

  @Test
  void aMetricMayHaveTheNameOfAnAggregation() {
    assertThat(Promql.parse("count > 1")).isEqualTo(plain(">", series("count"), new Literal(1)));
  }

  @Test
  void windowsOffsetsTimesAndCommentsAreRead() {
    assertThat(Promql.parse("max_over_time(rate(a[1m] offset -1h)[1h30m:] @ end()) # why"))
        .isEqualTo(
            new Call(
                "max_over_time",
                List.of(
                    new Subquery(
                        new Call(
                            "rate",
                            List.of(
                                new Selector("a", List.of(), Optional.of(Duration.ofMinutes(1))))),
                        Duration.ofMinutes(90),
                        Optional.empty()))));
    assertThat(Promql.parse("a[1h:5m]"))
        .isEqualTo(
            new Subquery(series("a"), Duration.ofHours(1), Optional.of(Duration.ofMinutes(5))));
  }

  @Test
  void numbersAndStringsAreRead() {
    assertThat(Promql.parse("1e3")).isEqualTo(new Literal(1000));
    assertThat(Promql.parse("0x1F")).isEqualTo(new Literal(31));
    assertThat(Promql.parse(".5")).isEqualTo(new Literal(.5));
    assertThat(Promql.parse("+Inf"))
        .isEqualTo(new Unary("+", new Literal(Double.POSITIVE_INFINITY)));
    assertThat(Promql.parse("`a\\b`")).isEqualTo(new Text("a\\b"));
    assertThat(Promql.parse("vector(1)")).isEqualTo(new Call("vector", List.of(new Literal(1))));
  }

  @Test
  void everySelectorOfAQueryIsFound() {
    assertThat(
            Promql.parse("sum(rate(a[5m])) / count(b) > 0 unless on (x) c{d=\"e\"}")
                .selectors()
                .map(Selector::metric))
        .containsExactly("a", "b", "c");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a +", "sum()", "a{b}", "a{b>\"c\"}", "(a", "a)", "a[5]", "1m[5m]", "a ? b"})
  void whatIsNoPromqlIsRefusedWithItsPlace(String query) {
    assertThatExceptionOfType(PromqlException.class)
        .isThrownBy(() -> Promql.parse(query))
        .withMessageContaining("at character");
  }

  @ParameterizedTest
  @MethodSource
  void whatNoPrometheusHasRoomForIsRefusedWithItsPlace(String query) {
    assertThatThrownBy(() -> Promql.parse(query))
        .isInstanceOf(PromqlException.class)
        .hasMessageContaining("at character");
  }

  static List<String> whatNoPrometheusHasRoomForIsRefusedWithItsPlace() {
    return List.of(
        "0x10000000000000000",
        "a[99999999999999999999s]",
        "(".repeat(20_000),
        "-".repeat(20_000),
        "a" + "^a".repeat(20_000));
  }

  @Test
  void aStringOfAnyLengthIsRead() {
    String text = "x\\n".repeat(20_000);
    assertThat(Promql.parse("'" + text + "'")).isEqualTo(new Text("x\n".repeat(20_000)));
  }
}
