package io.lapwing.stack.fleet;

import java.util.List;
import java.util.Map;

/**
 * The cost of one fleet for Prometheus.
 *
 * @param nodes of the fleet
 * @param series in the head
 * @param samplesPerSecond appended, scraped and recorded
 * @param cpu of Prometheus, in cores
 * @param rssMib resident memory of Prometheus
 * @param heapMib heap in use after the last garbage collection
 * @param playerCpu of the player, in cores
 * @param scrapeSeconds the slowest scrape of the last round
 * @param down targets that did not answer
 * @param firing alerts
 * @param recorded series produced by the rules
 * @param load the machine's load average over the last minute, at the end of the measurement
 * @param groups the median time of each group's evaluations, in seconds
 * @param queries the time of each dashboard query
 * @param errors rules that failed, with their error
 */
record FleetFigures(
    int nodes,
    double series,
    double samplesPerSecond,
    double cpu,
    double rssMib,
    double heapMib,
    double playerCpu,
    double scrapeSeconds,
    double down,
    double firing,
    double recorded,
    double load,
    Map<String, Double> groups,
    List<QueryTime> queries,
    List<String> errors) {

  FleetFigures {
    groups = Map.copyOf(groups);
    queries = List.copyOf(queries);
    errors = List.copyOf(errors);
  }

  double groupSeconds() {
    return groups.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
