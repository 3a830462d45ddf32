package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a long list in pages, so that neither side holds all of it. */
final class Pages {

  /**
   * With 500 nodes or pods a page, a cluster of 600 nodes does not fit into the heap that is
   * shipped.
   */
  private static final long SIZE = 50;

  private Pages() {}

  /**
   * Calls {@code use} for each object. Returns the version of the list.
   *
   * @param fields a field selector; null for all
   * @throws KubernetesClientException if the API server does not answer, or not in full
   */
  static <T extends HasMetadata, L extends KubernetesResourceList<T>> String each(
      Listable<L> objects, @Nullable String fields, Consumer<T> use) {
    String next = null;
    String version;
    do {
      L page =
          objects.list(
              new ListOptionsBuilder()
                  .withFieldSelector(fields)
                  .withLimit(SIZE)
                  .withContinue(next)
                  .build());
      page.getItems().forEach(use);
      version = page.getMetadata().getResourceVersion();
      next = page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
    return version == null ? "" : version;
  }
}
