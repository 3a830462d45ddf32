package io.lapwing.nccl.ring;

import io.lapwing.nccl.ring.RingFile.RejectedException;
import io.lapwing.nccl.ring.RingFile.Rejection;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Limits the processes that are read, as for the ranks of step files: one of a better standing
 * replaces a weaker one; among equals, the one that is read already is kept.
 */
final class RingBudget {

  static final int MAX_PROCESSES = 64;

  /** Of one account, or of a pod in Kubernetes; and of those whose process is not visible. */
  static final int MAX_OF_ACCOUNT = 16;

  private static final int PROCESSES_PER_GPU = 2;

  private final int ofAccount;

  RingBudget(int gpus) {
    this.ofAccount = Math.max(MAX_OF_ACCOUNT, PROCESSES_PER_GPU * gpus);
  }

  /**
   * Decides whether a further process is read.
   *
   * @return the one that it replaces, if any
   * @throws RejectedException if it is not read
   */
  Optional<RingProcess> admit(RingProcess process, Collection<RingProcess> read)
      throws RejectedException {
    Predicate<RingProcess> own = one -> one.budget().equals(process.budget());
    if (count(read, own) >= ofAccount) {
      return Optional.of(weaker(process, read, own));
    }
    if (isHidden(process) && count(read, RingBudget::isHidden) >= ofAccount) {
      throw new RejectedException(Rejection.TOO_MANY);
    }
    return read.size() < MAX_PROCESSES
        ? Optional.empty()
        : Optional.of(weaker(process, read, any -> true));
  }

  private static boolean isHidden(RingProcess process) {
    return process.standing() == RingStanding.HIDDEN;
  }

  private static long count(Collection<RingProcess> read, Predicate<RingProcess> which) {
    return read.stream().filter(which).count();
  }

  private static RingProcess weaker(
      RingProcess process, Collection<RingProcess> read, Predicate<RingProcess> which)
      throws RejectedException {
    return read.stream()
        .filter(which)
        .filter(one -> process.standing().isStronger(one.standing()))
        .min(Comparator.comparing(RingProcess::standing))
        .orElseThrow(() -> new RejectedException(Rejection.TOO_MANY));
  }
}
