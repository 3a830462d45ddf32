package io.lapwing.agent.sources;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts failed reads by collector and reason. Thread-safe. */
public final class ReadErrors {

  private final Map<Key, LongAdder> counts = new ConcurrentHashMap<>();

  private record Key(String collector, String reason) {}

  public record Count(String collector, String reason, long times) {}

  void add(String collector, String reason) {
    counts.computeIfAbsent(new Key(collector, reason), unseen -> new LongAdder()).increment();
  }

  public List<Count> counts() {
    return counts.entrySet().stream()
        .map(
            entry ->
                new Count(
                    entry.getKey().collector(), entry.getKey().reason(), entry.getValue().sum()))
        .sorted(Comparator.comparing(Count::collector).thenComparing(Count::reason))
        .toList();
  }
}
