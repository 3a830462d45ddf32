package io.lapwing.drain.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tasks of an array that an id such as {@code 4711_[3-9:2,12%4]} stands for.
 *
 * @param array {@code 4711}
 */
public record ArrayTasks(String array, List<Range> ranges) {

  private static final Pattern LIST = Pattern.compile("([0-9]+)_\\[([-0-9:,]+)(?:%[0-9]+)?]");
  private static final Pattern RANGE =
      Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9})(?::([1-9][0-9]{0,8}))?)?");
  private static final Pattern TASK = Pattern.compile("([0-9]+)_([0-9]{1,9})");

  public ArrayTasks {
    ranges = List.copyOf(ranges);
  }

  /** {@code 3-9:2}; without any task if it ends before it begins. */
  public record Range(long from, long to, long step) {

    private long count() {
      return to < from ? 0 : (to - from) / step + 1;
    }

    private boolean has(long task) {
      return from <= task && task <= to && (task - from) % step == 0;
    }
  }

  /** Empty if it is no list of tasks. */
  public static Optional<ArrayTasks> parse(String id) {
    Matcher list = LIST.matcher(id);
    if (!list.matches()) {
      return Optional.empty();
    }
    List<Range> ranges = new ArrayList<>();
    for (String one : list.group(2).split(",", -1)) {
      Matcher range = RANGE.matcher(one);
      if (!range.matches()) {
        return Optional.empty();
      }
      String to = range.group(2) == null ? range.group(1) : range.group(2);
      String step = range.group(3) == null ? "1" : range.group(3);
      ranges.add(
          new Range(Long.parseLong(range.group(1)), Long.parseLong(to), Long.parseLong(step)));
    }
    return Optional.of(new ArrayTasks(list.group(1), ranges));
  }

  public long count() {
    return ranges.stream().mapToLong(Range::count).sum();
  }

  /** Whether a task such as {@code 4711_5} is one of them. */
  public boolean has(String id) {
    Matcher task = TASK.matcher(id);
    return task.matches()
        && task.group(1).equals(array)
        && ranges.stream().anyMatch(range -> range.has(Long.parseLong(task.group(2))));
  }
}
