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
 * The instance metadata service as a source. What the instance is, it is asked once and the {@link
 * Identification} is told; what EC2 is going to do to it is asked every time. All paths are below
 * {@code latest/meta-data/}.
 *
 * <pre>
 * lapwing_node_maintenance_events 0      events/maintenance/scheduled; more in MaintenanceWatch
 * </pre>
 *
 * <p>A service that was never heard is no fault: on its way into a container the answer gets lost
 * unless the instance allows it a second hop, and an operator may have switched it off.
 */
public final class ImdsSource implements Source {

  public static final String COLLECTOR = "imds";

  private static final Part PART = Part.whole(COLLECTOR);

  /** The network may come up after the agent, so the first waits are short. */
  private static final Duration FIRST_WAIT = Duration.ofSeconds(30);

  private static final Duration LONGEST_WAIT = Duration.ofMinutes(30);

  private final Imds imds;
  private final LongSupplier nanoTime;
  private final IdentityQuestions identity;
  private final MaintenanceWatch maintenance = new MaintenanceWatch();
  private final SpotWatch spot = new SpotWatch();
  private final List<Collector> collectors = List.of(new ImdsCollector());
  private boolean heard;
  private Access unheard = Access.READY;
  private Duration wait = Duration.ZERO;
  private long waitsSince;

  /**
   * The service at some place.
   *
   * @param base {@code http://169.254.169.254}
   * @param identification is told what the instance is
   */
  public ImdsSource(URI base, Identification identification, LongSupplier nanoTime) {
    this.imds = new Imds(base, nanoTime);
    this.nanoTime = nanoTime;
    this.identity = new IdentityQuestions(identification, nanoTime);
  }

  /** What is scheduled for this instance, possibly nothing; empty while that is not known. */
  public Optional<List<MaintenanceEvent>> maintenance() {
    return maintenance.known();
  }

  /** Empty while this instance is not taken back, as far as is known. */
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
    if (!heard && now - waitsSince < wait.toNanos()) {
      return unheard;
    }
    if (imds.open() instanceof Reading.Failed<String> failed) {
      maintenance.forget();
      return heard ? down(failed.reason()) : unheard(failed.reason(), now);
    }
    heard = true;
    return Access.READY;
  }

  private Access down(String reason) {
    return new Access.Down(reason, "no answer any more from " + imds.base());
  }

  private Access unheard(String reason, long now) {
    Duration twice = wait.multipliedBy(2);
    wait = wait.isZero() ? FIRST_WAIT : twice.compareTo(LONGEST_WAIT) < 0 ? twice : LONGEST_WAIT;
    waitsSince = now;
    unheard =
        new Access.NothingHere(
            "no instance metadata from "
                + imds.base()
                + " ("
                + reason
                + "); into a container it takes a hop limit of 2");
    return unheard;
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

    /** After the first question without an answer no other is asked in this run. */
    @Override
    public void collect(SampleSink sink) {
      if (maintenance.look(imds, sink) && (!maybeSpot() || spot.look(imds, sink))) {
        identity.ask(imds, sink);
      }
    }

    private boolean maybeSpot() {
      return identity.known(ImdsItem.LIFECYCLE).orElse("spot").equals("spot");
    }
  }
}
