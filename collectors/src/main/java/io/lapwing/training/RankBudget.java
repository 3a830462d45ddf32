package io.lapwing.training;

import io.lapwing.training.RankWriter.Standing;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * How many ranks are read. A rank that the kernel confirms better takes the place of a weaker one;
 * among equals, who is read keeps its place.
 */
final class RankBudget {

  /** Ranks that are read at most: several jobs on the largest nodes. */
  static final int MAX_RANKS = 64;

  /** Ranks of one account that are read at least, if there is room. */
  static final int MAX_RANKS_OF_USER = 16;

  static final String MANY =
      "more ranks of training jobs run than are read: at most %1$d, and %2$d of an account or two for each GPU, as many that are not verified; lapwing_training_ranks_omitted counts the others"
          .formatted(MAX_RANKS, MAX_RANKS_OF_USER);

  private static final int RANKS_PER_GPU = 2;

  private final int ofAccount;

  /**
   * A rank that is read, or that is to be.
   *
   * @param name of its file
   * @param account of its uid
   */
  record Place(String name, RankWriter writer, String account) {

    /** In Kubernetes each pod has a budget. */
    private boolean sharesBudget(Place other) {
      return account.equals(other.account) && writer.pod().equals(other.writer.pod());
    }

    private boolean isUnverified() {
      return !writer.isVerified();
    }

    private Standing standing() {
      return writer.standing();
    }
  }

  /** Whether a rank may be read, and which one has to leave for it. */
  record Admission(boolean granted, Optional<String> displaced) {

    private static final Admission FREE = new Admission(true, Optional.empty());
    private static final Admission REFUSED = new Admission(false, Optional.empty());
  }

  RankBudget(int gpus) {
    this.ofAccount = Math.max(MAX_RANKS_OF_USER, RANKS_PER_GPU * gpus);
  }

  /** Decides about a rank beside those that are read. */
  Admission admit(Place rank, Collection<Place> read) {
    if (isFull(read, rank::sharesBudget, ofAccount)) {
      return instead(rank, read, rank::sharesBudget);
    }
    if (rank.isUnverified() && isFull(read, Place::isUnverified, ofAccount)) {
      return Admission.REFUSED;
    }
    return read.size() < MAX_RANKS ? Admission.FREE : instead(rank, read, any -> true);
  }

  private static boolean isFull(Collection<Place> read, Predicate<Place> which, int limit) {
    return read.stream().filter(which).limit(limit).count() == limit;
  }

  private static Admission instead(Place rank, Collection<Place> read, Predicate<Place> which) {
    return read.stream()
        .filter(which)
        .filter(one -> rank.writer().isStronger(one.writer()))
        .min(Comparator.comparing(Place::standing))
        .map(weaker -> new Admission(true, Optional.of(weaker.name())))
        .orElse(Admission.REFUSED);
  }
}
