package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import java.util.Set;

/** What a failed call of the API server means. */
final class Failures {

  /** Answers after which nothing was changed, and the same again would not help. */
  private static final Set<Integer> REFUSALS = Set.of(400, 401, 403, 404, 405, 422);

  private Failures() {}

  static CommandResult result(KubernetesClientException e) {
    return REFUSALS.contains(e.getCode()) ? new Refused(words(e)) : new Unclear(words(e));
  }

  /** The server's own message; the client's adds the address. */
  static String words(KubernetesClientException e) {
    String own = e.getStatus() == null ? null : e.getStatus().getMessage();
    Throwable cause = e.getCause();
    if (own != null) {
      return own + " (" + e.getCode() + ")";
    }
    return cause == null ? String.valueOf(e.getMessage()) : cause.toString();
  }
}
