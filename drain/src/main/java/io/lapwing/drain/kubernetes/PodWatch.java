package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The pods that hold GPUs: listed once, then kept up to date by a watch, so that the API server
 * does not have to list all pods of a cluster in each round. Serves one thread.
 */
final class PodWatch {

  /**
   * A watch without an event may be a dead connection. Where pods change, their events come, or a
   * bookmark each minute; where none changes, the API server has little else to do.
   */
  static final Duration SILENCE = Duration.ofMinutes(2);

  /** Events that a watch has missed are corrected after this time. */
  static final Duration LIST_AGAIN = Duration.ofMinutes(10);

  private final KubernetesClient client;
  private final InstantSource clock;
  private final Consumer<String> warnings;
  private Optional<Followed> followed = Optional.empty();
  private Optional<String> refused = Optional.empty();

  /**
   * @param warnings why the pods cannot be watched; once for each reason
   */
  PodWatch(KubernetesClient client, InstantSource clock, Consumer<String> warnings) {
    this.client = client;
    this.clock = clock;
    this.warnings = warnings;
  }

  /** All of them, as they are now. */
  List<NodePod> list() {
    Followed now = new Followed();
    now.list();
    return List.copyOf(now.pods.values());
  }

  /**
   * All of them, as they are now or were a moment ago; of a connection that just died, up to {@link
   * #SILENCE}.
   */
  List<NodePod> latest() {
    Followed current = followed.filter(Followed::isGood).orElseGet(this::follow);
    return List.copyOf(current.pods.values());
  }

  private Followed follow() {
    followed.ifPresent(Followed::close);
    followed = Optional.empty();
    Followed next = new Followed();
    String version = next.list();
    try {
      next.watch(version);
      followed = Optional.of(next);
      refused = Optional.empty();
    } catch (KubernetesClientException e) {
      Optional<String> why = Optional.of(Failures.words(e));
      if (!why.equals(refused)) {
        refused = why;
        warnings.accept("pods cannot be watched and are listed in each round: " + why.get());
      }
    }
    return next;
  }

  /** A list and the watch that goes on from it. The events come on a thread of the client. */
  private final class Followed implements Watcher<Pod> {

    /** By UID. */
    private final Map<String, NodePod> pods = new ConcurrentHashMap<>();

    private final Instant listed = clock.instant();
    private volatile Instant heard = listed;
    private volatile boolean ended;
    private Optional<Watch> watch = Optional.empty();

    /** Returns the version of the list. */
    String list() {
      return Pages.each(client.pods().inAnyNamespace(), NodePod.NOT_OVER, this::put);
    }

    void watch(String version) {
      watch =
          Optional.of(
              client
                  .pods()
                  .inAnyNamespace()
                  .watch(
                      new ListOptionsBuilder()
                          .withFieldSelector(NodePod.NOT_OVER)
                          .withResourceVersion(version)
                          .withAllowWatchBookmarks(true)
                          .build(),
                      this));
    }

    boolean isGood() {
      Instant now = clock.instant();
      boolean recent = now.isBefore(heard.plus(SILENCE)) && now.isBefore(listed.plus(LIST_AGAIN));
      // Not after the clock was set back either.
      return !ended && recent && !now.isBefore(listed);
    }

    private void put(Pod pod) {
      Optional<NodePod> held = NodePod.of(pod).filter(NodePod::holdsGpus);
      if (held.isPresent()) {
        pods.put(pod.getMetadata().getUid(), held.get());
      } else {
        pods.remove(pod.getMetadata().getUid());
      }
    }

    @Override
    public void eventReceived(Action action, Pod pod) {
      heard = clock.instant();
      switch (action) {
        case ADDED, MODIFIED -> put(pod);
        case DELETED -> pods.remove(pod.getMetadata().getUid());
        case BOOKMARK -> {}
        case ERROR -> ended = true;
      }
    }

    @Override
    public void onClose() {
      ended = true;
    }

    /** Such as 410: the version is too old to go on from. */
    @Override
    public void onClose(WatcherException cause) {
      ended = true;
    }

    void close() {
      watch.ifPresent(Watch::close);
    }
  }
}
