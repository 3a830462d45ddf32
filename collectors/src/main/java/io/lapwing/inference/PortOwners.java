package io.lapwing.inference;

import io.lapwing.linux.ProcFs;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Who listens on a port of this host. Any user may bind a port that an engine uses by default, so
 * only root, which forwards ports of containers, and users with a process on a GPU count.
 */
public interface PortOwners {

  /** Without a check. */
  PortOwners ANY = port -> Owner.TRUSTED;

  Owner of(int port);

  enum Owner {
    TRUSTED,
    /** Another user. */
    FOREIGN,
    /** Nothing listens there, or it cannot be determined. */
    UNKNOWN
  }

  /** {@code gpuUsers}: the uids that have a process on a GPU now. */
  static PortOwners onGpus(ProcFs proc, Supplier<Set<Long>> gpuUsers) {
    return port -> {
      Optional<Set<Long>> uids = proc.listeners(port).toOptional();
      if (uids.isEmpty() || uids.get().isEmpty()) {
        return Owner.UNKNOWN;
      }
      Set<Long> users = gpuUsers.get();
      return uids.get().stream().allMatch(uid -> uid == 0 || users.contains(uid))
          ? Owner.TRUSTED
          : Owner.FOREIGN;
    };
  }
}
