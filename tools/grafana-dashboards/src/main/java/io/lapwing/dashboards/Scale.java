package io.lapwing.dashboards;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of values: a colour from each threshold on, and a word for each value, so that no
 * meaning depends on colour alone.
 *
 * @param steps ascending; the first has no lower bound
 * @param words value mappings
 */
public record Scale(List<Step> steps, List<Word> words) {

  /** Without thresholds. */
  public static final Scale PLAIN = new Scale(List.of(new Step("blue", null)), List.of());

  /**
   * A colour and its lower bound.
   *
   * @param from lower bound, inclusive; null for the first
   */
  public record Step(String color, @Nullable Double from) {}

  /**
   * Text and colour of a single value.
   *
   * @param value a number, or the text of a label
   */
  public record Word(String value, String text, String color) {}

  /** Green, then yellow and red from the bounds on. */
  public static Scale rising(double yellow, double red) {
    return below("green").from("yellow", yellow).from("red", red);
  }

  /** Green, and red from that bound on. */
  public static Scale rising(double red) {
    return below("green").from("red", red);
  }

  /** Red, then yellow and green from the bounds on. */
  public static Scale falling(double yellow, double green) {
    return below("red").from("yellow", yellow).from("green", green);
  }

  public static Scale below(String color) {
    return new Scale(List.of(new Step(color, null)), List.of());
  }

  public Scale from(String color, double bound) {
    List<Step> more = new ArrayList<>(steps);
    more.add(new Step(color, bound));
    return new Scale(List.copyOf(more), words);
  }

  public Scale word(String value, String text, String color) {
    List<Word> more = new ArrayList<>(words);
    more.add(new Word(value, text, color));
    return new Scale(steps, List.copyOf(more));
  }

  public Scale word(long value, String text, String color) {
    return word(Long.toString(value), text, color);
  }
}
