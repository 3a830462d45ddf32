package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Of several controllers one acts: the holder of a Lease. The others only watch. */
public final class Leadership implements AutoCloseable {

  /**
   * Limit of each request about the Lease, so short that this process ends before another one may
   * take the Lease, even if two requests that renew it hang, and then the two that release it.
   */
  public static final Duration TIMEOUT = Duration.ofSeconds(1);

  /** As the control plane's own components. */
  private static final Duration LEASE = Duration.ofSeconds(15);

  private static final Duration RENEW = Duration.ofSeconds(8);
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final AtomicBoolean leads = new AtomicBoolean();
  private final String lease;
  private final CompletableFuture<?> election;
  private volatile String holder = "";

  /**
   * Takes part in the election.
   *
   * @param client whose requests end after {@link #TIMEOUT}
   * @param identity of this process, such as the name of its pod
   * @param lost called when another process may act: this one has to end, since a call that it has
   *     begun cannot be taken back
   */
  public Leadership(
      KubernetesClient client, String namespace, String name, String identity, Runnable lost) {
    this.lease = namespace + "/" + name;
    this.election =
        client
            .leaderElector()
            .withConfig(
                new LeaderElectionConfigBuilder()
                    .withName(name)
                    .withLock(new LeaseLock(namespace, name, identity))
                    .withLeaseDuration(LEASE)
                    .withRenewDeadline(RENEW)
                    .withRetryPeriod(RETRY)
                    .withReleaseOnCancel(true)
                    .withLeaderCallbacks(
                        new LeaderCallbacks(
                            () -> leads.set(true),
                            () -> {
                              if (leads.getAndSet(false)) {
                                lost.run();
                              }
                            },
                            leader -> holder = leader == null ? "" : leader))
                    .build())
            .build()
            .start();
  }

  /** Whether this process may act now. */
  public boolean leads() {
    return leads.get();
  }

  /** Why this process may not act, in words; empty if it leads. */
  public Optional<String> notLeading() {
    if (leads()) {
      return Optional.empty();
    }
    String who = holder;
    return Optional.of(
        "not the leader: "
            + (who.isEmpty()
                ? "no holder of the Lease " + lease + " is known"
                : who + " holds the Lease " + lease));
  }

  @Override
  public void close() {
    election.cancel(true);
  }
}
