package io.lapwing.common.web.security;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue that is fair between clients. Clients take turns, and each client's items are
 * taken in the order of their offers. When the queue is full, the newest item of the client with
 * the most is rejected. A rejected item that is offered again keeps its age until it is taken, and
 * goes before all items that are offered for the first time: a scraper repeats its password,
 * whereas an attacker has to try new ones.
 */
final class FairQueue<T> {
  /** Added to the age of an item that is offered for the first time. */
  private static final long FIRST_TIME = 1L << 39;

  private final int max;
  private final int maxOfOne;
  private final Map<Object, List<Waiting<T>>> clients = new LinkedHashMap<>();
  private final TurnedAway turnedAway = new TurnedAway();
  private int size;
  private long offered;

  /** An item and its age: the number of items that were offered before it. */
  private record Waiting<T>(T item, long fingerprint, long age) {}

  /** Holds {@code max} items, {@code maxOfOne} of one client. */
  FairQueue(int max, int maxOfOne) {
    this.max = max;
    this.maxOfOne = maxOfOne;
  }

  /**
   * Adds an item; returns the one that is rejected, if any: this or an earlier one.
   *
   * @param fingerprint equal for the same item of the same client, and unpredictable
   */
  synchronized Optional<T> offer(T item, Object client, long fingerprint) {
    offered++;
    long age = turnedAway.age(fingerprint).orElse(offered | FIRST_TIME);
    List<Waiting<T>> own = clients.computeIfAbsent(client, unused -> new ArrayList<>());
    own.add(new Waiting<>(item, fingerprint, age));
    size++;
    if (own.size() > maxOfOne) {
      return Optional.of(turnAwayNewest(client));
    }
    return size > max ? Optional.of(turnAwayNewest(greediest())) : Optional.empty();
  }

  /** The client with the most items; of several the one with the newest item. */
  private Object greediest() {
    return clients.entrySet().stream()
        .max(
            Comparator.<Map.Entry<Object, List<Waiting<T>>>>comparingInt(
                    client -> client.getValue().size())
                .thenComparingLong(client -> newest(client.getValue()).age()))
        .orElseThrow()
        .getKey();
  }

  private T turnAwayNewest(Object client) {
    List<Waiting<T>> own = clients.getOrDefault(client, List.of());
    Waiting<T> newest = newest(own);
    own.remove(newest);
    if (own.isEmpty()) {
      clients.remove(client);
    }
    size--;
    turnedAway.remember(newest.fingerprint(), newest.age() & ~FIRST_TIME);
    return newest.item();
  }

  private static <T> Waiting<T> newest(List<Waiting<T>> own) {
    return own.stream().max(Comparator.comparingLong(Waiting::age)).orElseThrow();
  }

  /** Takes the oldest item of the next client, which then goes to the end. */
  synchronized Optional<T> poll() {
    Iterator<Map.Entry<Object, List<Waiting<T>>>> first = clients.entrySet().iterator();
    if (!first.hasNext()) {
      return Optional.empty();
    }
    Map.Entry<Object, List<Waiting<T>>> client = first.next();
    Object name = client.getKey();
    List<Waiting<T>> own = client.getValue();
    first.remove();
    Waiting<T> oldest = own.stream().min(Comparator.comparingLong(Waiting::age)).orElseThrow();
    own.remove(oldest);
    if (!own.isEmpty()) {
      clients.put(name, own);
    }
    size--;
    turnedAway.forget(oldest.fingerprint());
    return Optional.of(oldest.item());
  }

  /**
   * The ages of rejected items, 8 bytes each. A new one replaces the one in its slot, so an item is
   * found with a probability of 1/e after as many others as there are slots. At 1,000 a second, 63
   * % of the items of 15 seconds ago are left.
   */
  private static final class TurnedAway {
    private static final int SLOT_BITS = 15;
    private static final int AGE_BITS = 40;
    private static final long AGE = (1L << AGE_BITS) - 1;

    /** The rest of the fingerprint, and the age; 256 KiB, allocated for the first rejected item. */
    private long @Nullable [] slots;

    Optional<Long> age(long fingerprint) {
      if (slots == null) {
        return Optional.empty();
      }
      long found = slots[slot(fingerprint)];
      return isOf(fingerprint, found) ? Optional.of(found & AGE) : Optional.empty();
    }

    private static boolean isOf(long fingerprint, long found) {
      return found != 0 && (found ^ (fingerprint << AGE_BITS)) >>> AGE_BITS == 0;
    }

    void forget(long fingerprint) {
      if (slots != null && isOf(fingerprint, slots[slot(fingerprint)])) {
        slots[slot(fingerprint)] = 0;
      }
    }

    void remember(long fingerprint, long age) {
      if (slots == null) {
        slots = new long[1 << SLOT_BITS];
      }
      slots[slot(fingerprint)] = (fingerprint << AGE_BITS) | (age & AGE);
    }

    private static int slot(long fingerprint) {
      return (int) (fingerprint >>> (Long.SIZE - SLOT_BITS));
    }
  }
}
