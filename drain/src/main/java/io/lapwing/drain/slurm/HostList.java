package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm's short form of many names: {@code p5-[001-004,7],gpu[1-2]n[1-4]}. */
public final class HostList {

  private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");

  /** More than any Slurm cluster has; less than what fills the memory. */
  private static final int MOST = 65_536;

  private HostList() {}

  /**
   * All names, in their order.
   *
   * @throws UnreadableAnswer if it is no such list, or a longer one than any cluster has
   */
  public static List<NodeName> expand(String text) throws UnreadableAnswer {
    List<NodeName> names = new ArrayList<>();
    for (String part : split(text)) {
      for (String name : expandOne(part)) {
        names.add(
            NodeName.parse(name)
                .orElseThrow(() -> new UnreadableAnswer("not the name of a node", name)));
        bound(names.size(), text);
      }
    }
    return names;
  }

  /** At the commas outside of brackets. */
  private static List<String> split(String text) throws UnreadableAnswer {
    List<String> parts = new ArrayList<>();
    int start = 0;
    boolean inside = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '[' || c == ']') {
        if (inside != (c == ']')) {
          throw new UnreadableAnswer("brackets of a host list do not match", text);
        }
        inside = c == '[';
      } else if (c == ',' && !inside) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    if (inside) {
      throw new UnreadableAnswer("a host list ends within brackets", text);
    }
    parts.add(text.substring(start));
    return parts;
  }

  /** One part may have several brackets: each with each. */
  private static List<String> expandOne(String part) throws UnreadableAnswer {
    List<String> names = List.of("");
    int at = 0;
    while (at < part.length()) {
      int open = part.indexOf('[', at);
      String literal = part.substring(at, open < 0 ? part.length() : open);
      int close = open < 0 ? part.length() : part.indexOf(']', open);
      List<String> here = open < 0 ? List.of("") : numbers(part.substring(open + 1, close));
      bound((long) names.size() * here.size(), part);
      List<String> longer = new ArrayList<>();
      for (String name : names) {
        here.forEach(number -> longer.add(name + literal + number));
      }
      names = longer;
      at = open < 0 ? close : close + 1;
    }
    return names;
  }

  /** Leading zeros set the width: {@code 08-11}. */
  private static List<String> numbers(String ranges) throws UnreadableAnswer {
    List<String> numbers = new ArrayList<>();
    for (String range : ranges.split(",", -1)) {
      Matcher match = RANGE.matcher(range);
      if (!match.matches()) {
        throw new UnreadableAnswer("not a range of a host list", range);
      }
      String first = match.group(1);
      long from = Long.parseLong(first);
      long to = match.group(2) == null ? from : Long.parseLong(match.group(2));
      if (to < from) {
        throw new UnreadableAnswer("not a range of a host list", range);
      }
      bound(numbers.size() + to - from, ranges);
      for (long i = from; i <= to; i++) {
        numbers.add(("%0" + first.length() + "d").formatted(i));
      }
    }
    return numbers;
  }

  private static void bound(long size, String text) throws UnreadableAnswer {
    if (size > MOST) {
      throw new UnreadableAnswer("a host list of more than " + MOST + " nodes", text);
    }
  }
}
