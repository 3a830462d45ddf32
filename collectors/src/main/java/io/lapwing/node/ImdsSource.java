package io.lapwing.node;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.node.Imds.ImdsItem;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The instance metadata service as a source. The identity is read once and passed to the {@link
 * Identification}; scheduled events are read in every round. A service that never replied is no
 * fault: it may be disabled, and replies reach containers only with a hop limit of 2.
 */
public final class ImdsSource extends FixedSource {

  public static final String COLLECTOR = "imds";

  /** Exponential backoff; it starts short, as the network may come up after the agent. */
  private static final Duration MIN_BACKOFF = Duration.ofSeconds(30);

  private static final Duration MAX_BACKOFF = Duration.ofMinutes(30);

  private final Imds imds;
  private final LongSupplier nanoTime;
  private final IdentityReader identity;
  private final MaintenanceWatch maintenance = new MaintenanceWatch();
  private final SpotWatch spot = new SpotWatch();
  private boolean everReplied;
  private Access absent = Access.READY;
  private Duration backoff = Duration.ZERO;
  private long lastAttempt;

  /** The service at {@code http://169.254.169.254}. */
  public ImdsSource(URI base, Identification identification, LongSupplier nanoTime) {
    super(COLLECTOR, SERVICES, Part.whole(COLLECTOR));
    add(COLLECTOR, Cadence.SLOW, this::collect);
    this.imds = new Imds(base, nanoTime);
    this.nanoTime = nanoTime;
    this.identity = new IdentityReader(identification, nanoTime);
  }

  /** Scheduled events of this instance, possibly none; empty while unknown. */
  public Optional<List<MaintenanceEvent>> maintenance() {
    return maintenance.known();
  }

  /** Empty while no interruption is announced. */
  public Optional<SpotInterruption> spotInterruption() {
    return spot.known();
  }

  @Override
  public Access begin(List<Collector> due) {
    long now = nanoTime.getAsLong();
    if (!everReplied && now - lastAttempt < backoff.toNanos()) {
      return absent;
    }
    if (imds.open() instanceof Reading.Failed<String> failed) {
      maintenance.forget();
      return everReplied ? down(failed.reason()) : absent(failed.reason(), now);
    }
    everReplied = true;
    return Access.READY;
  }

  private Access down(String reason) {
    return new Access.Down(reason, "no longer any response from " + imds.base());
  }

  private Access absent(String reason, long now) {
    Duration twice = backoff.multipliedBy(2);
    backoff =
        backoff.isZero() ? MIN_BACKOFF : twice.compareTo(MAX_BACKOFF) < 0 ? twice : MAX_BACKOFF;
    lastAttempt = now;
    absent =
        new Access.NothingHere(
            "no instance metadata from "
                + imds.base()
                + " ("
                + reason
                + "); containers need a hop limit of 2");
    return absent;
  }

  /** Stops at the first request without a response. */
  private void collect(SampleSink sink) {
    if (maintenance.poll(imds, sink) && (!maybeSpot() || spot.poll(imds, sink))) {
      identity.read(imds, sink);
    }
  }

  private boolean maybeSpot() {
    return identity.known(ImdsItem.LIFECYCLE).orElse("spot").equals("spot");
  }

  /** Reads each {@link ImdsItem} until it has a value: none changes while the instance runs. */
  static final class IdentityReader {

    /** Before an item that is missing or malformed is read again; it mostly stays so. */
    private static final Duration RETRY_INTERVAL = Duration.ofHours(6);

    private final Identification identification;
    private final LongSupplier nanoTime;
    private final Map<ImdsItem, String> known = new EnumMap<>(ImdsItem.class);
    private final Map<ImdsItem, Long> unusableSince = new EnumMap<>(ImdsItem.class);

    IdentityReader(Identification identification, LongSupplier nanoTime) {
      this.identification = identification;
      this.nanoTime = nanoTime;
    }

    Optional<String> known(ImdsItem item) {
      return Optional.ofNullable(known.get(item));
    }

    /** Reads open items, up to the first without a response. */
    void read(Imds imds, SampleSink sink) {
      int before = known.size();
      for (ImdsItem item : ImdsItem.values()) {
        if (isOpen(item) && !read(item, imds, sink)) {
          break;
        }
      }
      if (known.size() > before) {
        identification.update(known);
      }
    }

    private boolean isOpen(ImdsItem item) {
      Long since = unusableSince.get(item);
      return !known.containsKey(item)
          && (since == null || nanoTime.getAsLong() - since > RETRY_INTERVAL.toNanos());
    }

    private boolean read(ImdsItem item, Imds imds, SampleSink sink) {
      Reading<String> text = imds.get(item.path());
      if (text instanceof Reading.Present<String> present && ImdsItem.isName(present.value())) {
        known.put(item, present.value());
      } else if (text instanceof Reading.Present) {
        sink.failed(item.path(), "malformed");
        unusableSince.put(item, nanoTime.getAsLong());
      } else if (text instanceof Reading.Missing) {
        unusableSince.put(item, nanoTime.getAsLong());
      }
      return Imds.answered(text, sink);
    }
  }

  /** EC2 will {@code terminate}, {@code stop} or {@code hibernate} this spot instance. */
  public record SpotInterruption(String action, Instant at) {}
}
