package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.linux.Folder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pod names by uid, from {@code var/log/pods/<namespace>_<pod>_<uid>/<container>}. */
final class PodNames {

  private static final int MAX_PODS = 4096;
  private static final int MAX_CONTAINERS = 64;

  private final Path logs;
  private Map<String, PodName> byUid = Map.of();
  private boolean listed;
  private boolean fresh;

  /** The container is the pod's only one; empty if it has several. */
  record PodName(String namespace, String pod, String container) {}

  PodNames(Path root) {
    this.logs = root.resolve("var/log/pods");
  }

  /** Starts a round: the folder is listed again on the next lookup. */
  void startRound() {
    fresh = false;
  }

  /** A pod; empty if it is unknown or the folder cannot be read. */
  Optional<PodName> of(String uid) {
    if (!fresh) {
      list();
    }
    return Optional.ofNullable(byUid.get(uid));
  }

  /** Whether the folder was read completely and has no such pod. */
  boolean isGone(String uid) {
    return of(uid).isEmpty() && listed;
  }

  private void list() {
    Reading<Folder> folder = Folder.of(logs, name -> parts(name).length == 3, MAX_PODS);
    fresh = true;
    listed = folder.toOptional().filter(Folder::all).isPresent();
    Map<String, PodName> found = new HashMap<>();
    for (String name : folder.toOptional().map(Folder::names).orElse(List.of())) {
      String[] parts = parts(name);
      PodName before = byUid.get(parts[2]);
      found.put(parts[2], before == null ? named(name, parts) : before);
    }
    byUid = found;
  }

  private PodName named(String folder, String[] parts) {
    return new PodName(parts[0], parts[1], onlyContainer(logs.resolve(folder)));
  }

  private static String onlyContainer(Path pod) {
    return Folder.of(pod, name -> true, MAX_CONTAINERS)
        .toOptional()
        .filter(containers -> containers.all() && containers.names().size() == 1)
        .map(containers -> containers.names().get(0))
        .orElse("");
  }

  /** Kubernetes names contain no underscore. */
  private static String[] parts(String folder) {
    return folder.split("_", -1);
  }
}
