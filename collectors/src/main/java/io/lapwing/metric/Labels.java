package io.lapwing.metric;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Label names with their values, in page order. Made once for each device: the renderer recognises
 * a series by the identity of this object.
 */
public record Labels(List<String> names, List<String> values) {

  public static final Labels NONE = new Labels(List.of(), List.of());

  public Labels {
    if (names.size() != values.size()) {
      throw new IllegalArgumentException(names + " has not as many values: " + values);
    }
    names = List.copyOf(names);
    values = List.copyOf(values);
    if (names.stream().distinct().count() != names.size()) {
      throw new IllegalArgumentException("duplicate label in " + names);
    }
  }

  /** Labels from name, value, name, value ... */
  public static Labels of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException("a label without a value in " + List.of(namesAndValues));
    }
    return new Labels(everySecond(namesAndValues, 0), everySecond(namesAndValues, 1));
  }

  /** These labels with one more at the end. */
  public Labels with(String name, String value) {
    List<String> moreNames = new ArrayList<>(names);
    List<String> moreValues = new ArrayList<>(values);
    moreNames.add(name);
    moreValues.add(value);
    return new Labels(moreNames, moreValues);
  }

  /** These labels with others at the end. */
  public Labels with(Labels more) {
    return new Labels(concat(names, more.names), concat(values, more.values));
  }

  private static List<String> concat(List<String> one, List<String> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  private static List<String> everySecond(String[] all, int first) {
    return IntStream.range(0, all.length / 2)
        .mapToObj(i -> all[2 * i + first])
        .collect(Collectors.toList());
  }
}
