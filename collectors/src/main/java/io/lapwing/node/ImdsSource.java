package io.lapwing.node;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The instance metadata service as a source. The identity of the instance is read once and passed
 * to the {@link Identification}; scheduled events are read in every round. All paths are below
 * {@code latest/meta-data/}.
 *
 * <pre>
 * lapwing_node_maintenance_events 0      events/maintenance/scheduled; more in MaintenanceWatch
 * </pre>
 *
 * <p>A service that never replied is not a fault: an operator may have disabled it, and replies do
 * not reach containers unless the instance has a hop limit of 2.
 */
public final class ImdsSource implements Source {

  public static final String COLLECTOR = "imds";

  private static final Part PART = Part.whole(COLLECTOR);

  /** Exponential backoff; it starts short, as the network may come up after the agent. */
  private static final Duration MIN_BACKOFF = Duration.ofSeconds(30);

  private static final Duration MAX_BACKOFF = Duration.ofMinutes(30);

  private final Imds imds;
  private final LongSupplier nanoTime;
  private final IdentityReader identity;
  private final MaintenanceWatch maintenance = new MaintenanceWatch();
  private final SpotWatch spot = new SpotWatch();
  private final List<Collector> collectors = List.of(new ImdsCollector());
  private boolean everReplied;
  private Access absent = Access.READY;
  private Duration backoff = Duration.ZERO;
  private long lastAttempt;

  /**
   * The service at an address.
   *
   * @param base {@code http://169.254.169.254}
   * @param identification receives the identity of the instance
   */
  public ImdsSource(URI base, Identification identification, LongSupplier nanoTime) {
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
  public String name() {
    return COLLECTOR;
  }

  @Override
  public Optional<Part> part() {
    return Optional.of(PART);
  }

  @Override
  public List<Collector> collectors() {
    return collectors;
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

  private final class ImdsCollector implements Collector {

    @Override
    public String name() {
      return COLLECTOR;
    }

    @Override
    public Cadence cadence() {
      return Cadence.SLOW;
    }

    /** Stops at the first request without a response. */
    @Override
    public void collect(SampleSink sink) {
      if (maintenance.poll(imds, sink) && (!maybeSpot() || spot.poll(imds, sink))) {
        identity.read(imds, sink);
      }
    }

    private boolean maybeSpot() {
      return identity.known(ImdsItem.LIFECYCLE).orElse("spot").equals("spot");
    }
  }
}
