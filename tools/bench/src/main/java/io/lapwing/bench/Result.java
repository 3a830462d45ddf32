package io.lapwing.bench;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** All measurements of one run, of agent and peer. */
record Result(
    Pair<PageSize> pages,
    Pair<Round> young,
    Map<Encoding, Pair<List<Round>>> rounds,
    Pair<ProcessAccount.Memory> memory,
    Pair<Integer> scrapesBeforeMemory,
    Pair<Unattended> unattended,
    Pair<List<ColdStart>> starts) {

  record Pair<T>(T agent, T peer) {}

  /** Both servers at the usual scrape interval. */
  record Unattended(double seconds, int scrapes, double cpuSeconds, int reconnects) {

    double cpuSecondsPerHour() {
      return cpuSeconds / seconds * 3_600;
    }
  }

  /** From the start of the process to the last byte of its first complete response. */
  record ColdStart(double millis, long series) {}

  Comparison compare(Encoding encoding, ToDoubleFunction<Round> quantity) {
    Pair<List<Round>> pair = rounds.getOrDefault(encoding, new Pair<>(List.of(), List.of()));
    return Comparison.of(pair.agent(), pair.peer(), quantity);
  }

  /** Of processes that have served few scrapes. */
  Comparison compareYoung(ToDoubleFunction<Round> quantity) {
    return Comparison.of(List.of(young.agent()), List.of(young.peer()), quantity);
  }

  Comparison compareStarts() {
    return Comparison.of(starts.agent(), starts.peer(), ColdStart::millis);
  }
}
