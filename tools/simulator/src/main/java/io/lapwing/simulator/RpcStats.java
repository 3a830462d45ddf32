package io.lapwing.simulator;

/** The tables of {@code rpc_stats} of one target. */
final class RpcStats {
  private static final int PAGES_OF_4_MIB = 10;
  private static final int PAGES_OF_1_MIB = 8;

  /** Offsets for random reads of files of some gigabytes; most have many digits. */
  private static final int FIRST_OFFSET = 13;

  private static final int OFFSETS = 10;

  private final RpcTable pages = new RpcTable();
  private final RpcTable inFlight = new RpcTable();
  private final RpcTable offsets = new RpcTable();
  private final RpcTable modify = new RpcTable();

  /** Counts further data requests, with their average number in flight. */
  void add(double reads, double writes, double meanInFlight, int most) {
    pages.read(PAGES_OF_4_MIB, reads * 0.94);
    pages.read(PAGES_OF_1_MIB, reads * 0.04);
    pages.read(0, reads * 0.02);
    pages.write(PAGES_OF_4_MIB, writes * 0.97);
    pages.write(5, writes * 0.03);
    addInFlight(reads, writes, meanInFlight, most);
    for (int i = 0; i < OFFSETS; i++) {
      offsets.read(FIRST_OFFSET + i, reads / OFFSETS);
      offsets.write(FIRST_OFFSET + i, writes / OFFSETS);
    }
  }

  private void addInFlight(double reads, double writes, double mean, int most) {
    double[] weights = weights(mean, most);
    for (int rpcs = 1; rpcs <= most; rpcs++) {
      inFlight.read(rpcs, reads * weights[rpcs]);
      inFlight.write(rpcs, writes * weights[rpcs]);
    }
  }

  /** Counts further metadata changes. */
  void addModify(double rpcs, double meanInFlight, int most) {
    double[] weights = weights(meanInFlight, most);
    for (int i = 1; i <= most; i++) {
      modify.write(i, rpcs * weights[i]);
    }
  }

  /**
   * Distribution of the number in flight; the frequency decreases with the distance from the mean.
   */
  private static double[] weights(double mean, int most) {
    double[] weights = new double[most + 1];
    double centre = Math.max(1, Math.min(most, mean));
    double sum = 0;
    for (int rpcs = 1; rpcs <= most; rpcs++) {
      weights[rpcs] = Math.exp(-Math.abs(rpcs - centre));
      sum += weights[rpcs];
    }
    for (int rpcs = 1; rpcs <= most; rpcs++) {
      weights[rpcs] /= sum;
    }
    return weights;
  }

  void clear() {
    pages.clear();
    inFlight.clear();
    offsets.clear();
    modify.clear();
  }

  /** Requests in flight, and the tables for data. */
  void appendTo(StringBuilder text, LustreVersion version, int reads, int writes) {
    text.append("read RPCs in flight:  ").append(reads).append('\n');
    text.append("write RPCs in flight: ").append(writes).append('\n');
    text.append("pending write pages:  ").append(writes * 1024L).append('\n');
    text.append("pending read pages:   0\n");
    pages.appendTo(text, "pages per rpc", 0, i -> 1 << i);
    int first = version.since(LustreVersion.V2_15) ? 1 : 0;
    inFlight.appendTo(text, "rpcs in flight", first, i -> i);
    offsets.appendTo(text, "offset", 0, i -> i == 0 ? 0 : 1 << (i - 1));
  }

  /** Tables of a metadata target; from 2.12 on it may have data as well. */
  void appendOfMdc(StringBuilder text, LustreVersion version, int inFlightNow) {
    text.append("modify_RPCs_in_flight:  ").append(inFlightNow).append('\n');
    modify.appendModify(text);
    if (version.since(LustreVersion.V2_12)) {
      text.append('\n');
      appendTo(text, version, 0, 0);
    }
  }
}
