package io.lapwing.drain.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Whether this machine belongs to AWS ParallelCluster: its head node, where a controller usually
 * runs, and its compute nodes have these folders.
 */
record ParallelClusterHost(List<Path> folders) {

  static final ParallelClusterHost THIS =
      new ParallelClusterHost(
          List.of(Path.of("/etc/parallelcluster"), Path.of("/opt/parallelcluster")));

  /** For commands that do not start a controller: only the controller's host matters. */
  static final ParallelClusterHost NONE = new ParallelClusterHost(List.of());

  /** The folder by which it is known. */
  Optional<Path> found() {
    return folders.stream().filter(Files::exists).findFirst();
  }
}
