package io.lapwing.lustre;

import java.util.List;

/**
 * One column of one table of an {@code rpc_stats} file.
 *
 * @param bounds what stands before the colon: the most pages, or how many were in flight
 * @param counts how many requests fell there, as many as bounds
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
