package io.lapwing.lustre;

import java.util.List;

/**
 * One column of one table of an {@code rpc_stats} file.
 *
 * @param bounds upper bound of each row: pages, or requests in flight
 * @param counts requests per row
 */
record RpcHistogram(List<Integer> bounds, List<Double> counts) {

  RpcHistogram {
    bounds = List.copyOf(bounds);
    counts = List.copyOf(counts);
  }

  double total() {
    return counts.stream().mapToDouble(Double::doubleValue).sum();
  }
}
