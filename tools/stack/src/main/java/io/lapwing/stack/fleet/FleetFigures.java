package io.lapwing.stack.fleet;

import java.util.List;
import java.util.Map;

/**
 * What one fleet cost its Prometheus.
 *
 * @param nodes of the fleet
 * @param series in the head
 * @param samplesPerSecond that were appended, scraped and recorded
 * @param cpu of Prometheus, in cores
 * @param rssMib resident memory of Prometheus
 * @param heapMib what its heap held after the last collection
 * @param playerCpu of the player, in cores
 * @param scrapeSeconds the slowest scrape of the last round
 * @param down targets that did not answer
 * @param firing alerts
 * @param recorded series that the rules made
 * @param load the machine's load average over the last minute, when the measuring ended
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
