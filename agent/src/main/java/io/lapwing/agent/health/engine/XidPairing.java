package io.lapwing.agent.health.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Pairs the kernel's message with NVML's event of the same XID, whichever comes first. Times of the
 * monotonic clock are in nanoseconds. Not thread-safe.
 */
final class XidPairing {

  /** For how long an NVML event waits for the kernel's message, which has more details. */
  private static final Duration KERNEL_WAIT = Duration.ofMillis(1_200);

  /** How far apart the two may report the same fault. */
  private static final Duration SAME_XID = Duration.ofSeconds(10);

  private static final int MAX_REPORTED = 200;

  /** Reported by the kernel and not yet by NVML. */
  private final Map<Pair, SeenByKernel> byKernel = new LinkedHashMap<>();

  /** Reported by NVML; the kernel's message may follow. */
  private final List<SeenByNvml> pending = new ArrayList<>();

  /** Reported by NVML alone: the kernel's message did not come in time. */
  private final List<SeenByNvml> nvmlOnly = new ArrayList<>();

  /**
   * {@code gpu} is the UUID, or the PCI address where it is unknown; {@code instance} is the MIG
   * GPU instance; empty for the whole GPU, and where the driver names none.
   */
  record Pair(String gpu, int number, OptionalInt instance) {

    /** Not if both name an instance, and not the same: that is another program's fault. */
    private boolean matches(Pair other) {
      return gpu.equals(other.gpu)
          && number == other.number
          && (instance.isEmpty() || other.instance.isEmpty() || instance.equals(other.instance));
    }

    /** One that matches, the same instance first. */
    private <T> Optional<T> first(Collection<T> all, Function<T, Pair> pairOf) {
      Optional<T> other = Optional.empty();
      for (T one : all) {
        Pair pair = pairOf.apply(one);
        if (equals(pair)) {
          return Optional.of(one);
        }
        other = other.isEmpty() && matches(pair) ? Optional.of(one) : other;
      }
      return other;
    }
  }

  private record SeenByKernel(long times, Instant last) {}

  /** An XID event of NVML; waits for the kernel's message until {@code until}. */
  record SeenByNvml(Pair pair, Instant at, long until) {}

  /**
   * NVML reported an XID. Removes and returns the kernel's message of the same fault; without one
   * the event stays pending.
   */
  Optional<Pair> nvml(Pair pair, Instant at, long now) {
    List<Pair> recent =
        byKernel.entrySet().stream()
            .filter(seen -> within(SAME_XID, seen.getValue().last(), at))
            .map(Map.Entry::getKey)
            .toList();
    Optional<Pair> logged = pair.first(recent, Function.identity());
    logged.ifPresentOrElse(
        this::removeOne, () -> pending.add(new SeenByNvml(pair, at, now + KERNEL_WAIT.toNanos())));
    return logged;
  }

  /**
   * The kernel reported an XID. Returns NVML's event that waited for it; else NVML's may follow.
   */
  Optional<SeenByNvml> kernel(Pair pair, Instant at) {
    Optional<SeenByNvml> reported = pair.first(pending, SeenByNvml::pair);
    if (reported.isPresent()) {
      pending.remove(reported.get());
      return reported;
    }
    SeenByKernel known = byKernel.get(pair);
    long open = known != null && within(SAME_XID, known.last(), at) ? known.times() : 0;
    byKernel.put(pair, new SeenByKernel(open + 1, at));
    if (byKernel.size() > MAX_REPORTED) {
      byKernel.remove(byKernel.keySet().iterator().next());
    }
    return Optional.empty();
  }

  /** When the next event of NVML waits no longer; empty if none waits. */
  OptionalLong nextExpiry() {
    return pending.stream().mapToLong(SeenByNvml::until).min();
  }

  /** Removes and returns the events of NVML for which the kernel's message did not come in time. */
  List<SeenByNvml> takeExpired(long now) {
    List<SeenByNvml> expired = pending.stream().filter(xid -> xid.until() - now <= 0).toList();
    pending.removeAll(expired);
    expired.forEach(this::addNvmlOnly);
    return expired;
  }

  /** Whether NVML alone reported it before; each such event stands for one message. */
  boolean takeNvmlOnly(Pair pair, Instant at) {
    List<SeenByNvml> recent =
        nvmlOnly.stream().filter(xid -> within(SAME_XID, xid.at(), at)).toList();
    Optional<SeenByNvml> same = pair.first(recent, SeenByNvml::pair);
    same.ifPresent(nvmlOnly::remove);
    return same.isPresent();
  }

  /** NVML alone reported it before a restart. */
  void restore(Pair pair, Instant at) {
    addNvmlOnly(new SeenByNvml(pair, at, 0));
  }

  /** The node rebooted: what NVML alone reported before has no message after it. */
  void clear() {
    nvmlOnly.clear();
  }

  static boolean within(Duration apart, Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(apart) <= 0;
  }

  private void addNvmlOnly(SeenByNvml xid) {
    nvmlOnly.add(xid);
    if (nvmlOnly.size() > MAX_REPORTED) {
      nvmlOnly.remove(0);
    }
  }

  private void removeOne(Pair pair) {
    byKernel.computeIfPresent(
        pair,
        (same, seen) -> seen.times() > 1 ? new SeenByKernel(seen.times() - 1, seen.last()) : null);
  }
}
