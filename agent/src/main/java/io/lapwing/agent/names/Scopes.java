package io.lapwing.agent.names;

import io.lapwing.agent.names.Passage.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which expressions belong to a place of a file: those of the same rule, target or panel. */
final class Scopes {

  private static final Pattern BRACE = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"|[{}]");
  private static final Pattern LINE =
      Pattern.compile("(?m)^([ ]*+)(?!#|\\{\\{|\\{%)((?:-[ ]++)*+)\\S.*+$");

  /** From a character to the one before another. */
  record Range(int from, int to) {
    boolean contains(int place) {
      return place >= from && place < to;
    }
  }

  private record Item(int column, int from) {}

  private final List<Passage> expressions;
  private final List<Range> ranges = new ArrayList<>();
  private final int end;

  Scopes(String file, Passages passages) {
    this.end = file.length();
    this.expressions =
        passages.all().stream().filter(passage -> passage.kind() == Kind.EXPRESSION).toList();
    passages.json().forEach(range -> objects(file, range));
    items(file);
    ranges.removeIf(range -> expressions.stream().noneMatch(at -> range.contains(at.place(0))));
    ranges.sort(Comparator.comparingInt(range -> range.to() - range.from()));
  }

  /** The objects of JSON. */
  private void objects(String file, Range json) {
    Deque<Integer> open = new ArrayDeque<>();
    Matcher brace = BRACE.matcher(file).region(json.from(), json.to());
    while (brace.find()) {
      if (brace.group().equals("{")) {
        open.push(brace.start());
      } else if (brace.group().equals("}") && !open.isEmpty()) {
        ranges.add(new Range(open.pop(), brace.end()));
      }
    }
  }

  /** The items of YAML's lists, each with the lines after it that are further to the right. */
  private void items(String file) {
    Deque<Item> open = new ArrayDeque<>();
    Matcher line = LINE.matcher(file);
    while (line.find()) {
      int column = line.group(1).length();
      while (!open.isEmpty() && open.peek().column() >= column) {
        ranges.add(new Range(open.pop().from(), line.start()));
      }
      if (!line.group(2).isEmpty()) {
        open.push(new Item(column, line.start()));
      }
    }
    open.forEach(item -> ranges.add(new Range(item.from(), end)));
  }

  /** The smallest part of the file around a place that has an expression; else the whole file. */
  Range around(int place) {
    return ranges.stream()
        .filter(range -> range.contains(place))
        .findFirst()
        .orElse(new Range(0, end));
  }

  List<Passage> expressions(Range range) {
    return expressions.stream().filter(at -> range.contains(at.place(0))).toList();
  }
}
