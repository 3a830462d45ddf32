package io.lapwing.common.web;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Limits the responses in flight, in number and in bytes: the responses to slow clients stay in
 * memory. One host gets at most half of both. At a limit, a new request displaces the oldest
 * response that is in flight for longer than {@link Timing#patience}, or, at any age, one of the
 * host with the most if the new request's host has fewer: clients that do not read cannot block
 * others. Responses that share an array count once. A single response may be larger than its host's
 * half, and counts as that half, so that at most two such responses fit.
 */
public final class ResponseQuota {
  /** Smaller responses bypass the limit of bytes. */
  private static final int EXEMPT_BYTES = 512;

  /** Fewer places than this are not divided among hosts. */
  private static final int MIN_DIVIDED = 3;

  /**
   * When a response may be displaced, and when it is cut off, counted from its first byte to the
   * last.
   */
  public record Timing(LongSupplier nanoTime, Duration patience, Duration deadline) {
    public static final Timing USUAL =
        new Timing(System::nanoTime, Duration.ofSeconds(2), Duration.ofSeconds(10));
  }

  private final long maxBytes;
  private final Timing timing;

  /** In flight, oldest first. */
  private final Set<Ticket> tickets = new LinkedHashSet<>();

  private int max;

  /** {@code max} responses, 0 for any number; a host's only response may exceed its share. */
  ResponseQuota(int max, long maxBytes, Timing timing) {
    this.max = max;
    this.maxBytes = maxBytes;
    this.timing = timing;
  }

  Timing timing() {
    return timing;
  }

  synchronized void setMax(int value) {
    max = value;
  }

  /** A place for a response, to be released once; empty if there is none. */
  Optional<Ticket> enter(RemoteHost host, Runnable abort) {
    Ticket displaced = null;
    Ticket entered;
    synchronized (this) {
      int share = max < MIN_DIVIDED ? max : (max + 1) / 2;
      if (max == 0 || tickets.size() < share) {
        return Optional.of(add(host, abort));
      }
      Predicate<Ticket> own = ticket -> ticket.host.equals(host);
      if (tickets.stream().filter(own).count() >= share) {
        displaced = displaced(own);
      } else if (tickets.size() >= max) {
        displaced = displaced(ticket -> true);
        if (displaced == null && tickets.stream().noneMatch(own)) {
          displaced = oldestOfTheHostWithMost();
        }
      } else {
        return Optional.of(add(host, abort));
      }
      if (displaced == null) {
        return Optional.empty();
      }
      entered = add(host, abort);
    }
    displaced.abort.run();
    return Optional.of(entered);
  }

  private Ticket add(RemoteHost host, Runnable abort) {
    Ticket ticket = new Ticket(host, abort, timing.nanoTime().getAsLong());
    tickets.add(ticket);
    return ticket;
  }

  /** Evicts the oldest response of the host with the most; null if no host has two. */
  private @Nullable Ticket oldestOfTheHostWithMost() {
    Map<RemoteHost, Long> places =
        tickets.stream().collect(Collectors.groupingBy(Ticket::host, Collectors.counting()));
    RemoteHost most = Collections.max(places.entrySet(), Map.Entry.comparingByValue()).getKey();
    return Objects.requireNonNull(places.get(most)) > 1
        ? evicted(ticket -> ticket.host.equals(most))
        : null;
  }

  private @Nullable Ticket evicted(Predicate<Ticket> which) {
    Optional<Ticket> oldest = tickets.stream().filter(which).findFirst();
    oldest.ifPresent(tickets::remove);
    return oldest.orElse(null);
  }

  /** Evicts the oldest response in flight for the minimum time; null if no response is. */
  private @Nullable Ticket displaced(Predicate<Ticket> which) {
    long now = timing.nanoTime().getAsLong();
    return evicted(which.and(ticket -> now - ticket.since > timing.patience().toNanos()));
  }

  /** Whether the response fits; the ticket stays valid if not. */
  private boolean load(Ticket loaded, byte[] body) {
    List<Ticket> displaced = new ArrayList<>();
    boolean fits;
    synchronized (this) {
      fits =
          body.length <= EXEMPT_BYTES
              || inFlight() + body.length <= maxBytes / 2
              || (fitsItsHost(loaded.host, body, displaced)
                  && fitsAll(loaded.host, body, displaced));
      if (fits) {
        loaded.body = body;
      }
    }
    displaced.forEach(ticket -> ticket.abort.run());
    return fits;
  }

  /** The bytes of all responses, a shared array each time. */
  private long inFlight() {
    long bytes = 0;
    for (Ticket ticket : tickets) {
      bytes += ticket.body.length;
    }
    return bytes;
  }

  private boolean fitsItsHost(RemoteHost host, byte[] body, List<Ticket> displaced) {
    Predicate<Ticket> own = ticket -> ticket.host.equals(host);
    while (true) {
      BytesInFlight bytes = new BytesInFlight(maxBytes / 2);
      tickets.stream().filter(own).forEach(ticket -> bytes.add(host, ticket.body));
      if (bytes.fitsItsHost(host, body)) {
        return true;
      }
      Ticket oldest = displaced(own.and(Ticket::isLarge));
      if (oldest == null) {
        return false;
      }
      displaced.add(oldest);
    }
  }

  private boolean fitsAll(RemoteHost host, byte[] body, List<Ticket> displaced) {
    while (true) {
      BytesInFlight bytes = new BytesInFlight(maxBytes / 2);
      tickets.forEach(ticket -> bytes.add(ticket.host, ticket.body));
      if (bytes.total() + bytes.more(host, body) <= maxBytes) {
        return true;
      }
      Ticket next = displaced(Ticket::isLarge);
      if (next == null) {
        Optional<RemoteHost> most = bytes.hostWithMoreThan(host, body);
        next =
            most.isPresent()
                ? evicted(ticket -> ticket.isLarge() && ticket.host.equals(most.get()))
                : null;
      }
      if (next == null) {
        return false;
      }
      displaced.add(next);
    }
  }

  private synchronized void release(Ticket ticket) {
    tickets.remove(ticket);
  }

  /** A response in flight. */
  final class Ticket {
    private static final byte[] NOTHING = {};

    private final RemoteHost host;
    private final Runnable abort;
    private final long since;
    private byte[] body = NOTHING;

    private Ticket(RemoteHost host, Runnable abort, long since) {
      this.host = host;
      this.abort = abort;
      this.since = since;
    }

    private RemoteHost host() {
      return host;
    }

    private boolean isLarge() {
      return body.length > EXEMPT_BYTES;
    }

    /** Whether the response fits into the memory; the place is kept if not. */
    boolean load(byte[] response) {
      return ResponseQuota.this.load(this, response);
    }

    /** May be called again. */
    void release() {
      ResponseQuota.this.release(this);
    }
  }
}
