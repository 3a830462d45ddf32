package io.lapwing.drain.slurm;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many tasks an id such as {@code 4711_[3-9:2,12%4]} stands for. */
final class ArrayTasks {

  private static final Pattern LIST = Pattern.compile("[0-9]+_\\[([-0-9:,]+)(?:%[0-9]+)?]");
  private static final Pattern RANGE =
      Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9})(?::([1-9][0-9]{0,8}))?)?");

  private ArrayTasks() {}

  /** 1 if it is no list of tasks. */
  static long count(String id) throws UnreadableAnswer {
    Matcher list = LIST.matcher(id);
    if (!list.matches()) {
      return 1;
    }
    long sum = 0;
    for (String one : list.group(1).split(",", -1)) {
      Matcher range = RANGE.matcher(one);
      if (!range.matches()) {
        throw new UnreadableAnswer("not a list of array tasks", id);
      }
      sum += count(range);
    }
    return sum;
  }

  private static long count(Matcher range) {
    if (range.group(2) == null) {
      return 1;
    }
    long step = range.group(3) == null ? 1 : Long.parseLong(range.group(3));
    long length = Long.parseLong(range.group(2)) - Long.parseLong(range.group(1));
    return length < 0 ? 0 : length / step + 1;
  }
}
