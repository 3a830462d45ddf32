package io.lapwing.simulator;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** One table of {@code rpc_stats}: a histogram of requests in 32 classes. */
final class RpcTable {

  /** {@code OBD_HIST_MAX}. */
  static final int CLASSES = 32;

  private final double[] reads = new double[CLASSES];
  private final double[] writes = new double[CLASSES];

  void read(int index, double rpcs) {
    reads[Math.min(index, CLASSES - 1)] += rpcs;
  }

  void write(int index, double rpcs) {
    writes[Math.min(index, CLASSES - 1)] += rpcs;
  }

  void clear() {
    Arrays.fill(reads, 0);
    Arrays.fill(writes, 0);
  }

  /**
   * With columns for reads and writes.
   *
   * @param first first class in the table
   * @param bound text before the colon
   */
  void appendTo(StringBuilder text, String title, int first, IntUnaryOperator bound) {
    text.append("\n\t\t\tread\t\t\twrite\n");
    text.append(padded(title, 22)).append("rpcs   % cum % |       rpcs   % cum %\n");
    long allReads = sum(reads, first, CLASSES);
    long allWrites = sum(writes, first, CLASSES);
    for (int i = first; i < CLASSES; i++) {
      long readsSoFar = sum(reads, first, i + 1);
      long writesSoFar = sum(writes, first, i + 1);
      text.append(bound.applyAsInt(i)).append(":\t\t");
      column(text, (long) reads[i], readsSoFar, allReads);
      text.append("   | ");
      column(text, (long) writes[i], writesSoFar, allWrites);
      text.append('\n');
      if (readsSoFar == allReads && writesSoFar == allWrites) {
        return;
      }
    }
  }

  /** With one column, of modifying requests, which are counted as writes. */
  void appendModify(StringBuilder text) {
    text.append("\n\t\t\tmodify\nrpcs in flight        rpcs   % cum %\n");
    long all = sum(writes, 0, CLASSES);
    for (int i = 0; i < CLASSES; i++) {
      long soFar = sum(writes, 0, i + 1);
      text.append(i).append(":\t\t");
      column(text, (long) writes[i], soFar, all);
      text.append('\n');
      if (soFar == all) {
        return;
      }
    }
  }

  private static long sum(double[] classes, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += (long) classes[i];
    }
    return sum;
  }

  private static void column(StringBuilder text, long rpcs, long soFar, long all) {
    right(text, rpcs, 10);
    text.append(' ');
    right(text, percent(rpcs, all), 3);
    text.append(' ');
    right(text, percent(soFar, all), 3);
  }

  private static long percent(long part, long all) {
    return all == 0 ? 0 : part * 100 / all;
  }

  private static void right(StringBuilder text, long number, int width) {
    String digits = Long.toString(number);
    text.append(" ".repeat(Math.max(0, width - digits.length()))).append(digits);
  }

  private static String padded(String title, int width) {
    return title + " ".repeat(width - title.length());
  }
}
