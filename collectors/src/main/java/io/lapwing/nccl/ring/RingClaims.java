package io.lapwing.nccl.ring;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects the ranks of a communicator. Its hash is public and any user may write it into a file, so
 * a communicator belongs to one account: the one with a process of the best standing, and among
 * equals the one whose file was first read with it, for as long as it has one. The same decides
 * between two processes of the account that claim one rank. Start times do not help: a login shell
 * is older than any job.
 */
final class RingClaims {

  /** Of all accounts that have a communicator. */
  private Map<Claim, Best> claims = new HashMap<>();

  private final Map<Long, Claim> holders = new HashMap<>();
  private long last;

  private record Claim(long hash, String account) {}

  /** A rank of a communicator. */
  private record Rank(long hash, String rank) {

    static Rank of(RingMember member) {
      // Ranks that are unknown differ by their GPU.
      return new Rank(
          member.hash, member.rank < 0 ? member.base.toString() : Integer.toString(member.rank));
    }
  }

  private record Best(RingStanding standing, long since) {

    boolean isBetter(@Nullable Best other) {
      return other == null
          || standing.isStronger(other.standing)
          || (standing == other.standing && since < other.since);
    }
  }

  /** Sets {@link RingMember#chosen} of all members. */
  void update(List<RingProcess> processes) {
    Map<Claim, Best> before = claims;
    claims = new HashMap<>();
    for (RingProcess process : processes) {
      for (RingMember member : process.members()) {
        if (member.claim == 0) {
          last++;
          member.claim = last;
        }
        Claim claim = new Claim(member.hash, process.account());
        Best known = before.get(claim);
        Best now = new Best(process.standing(), known == null ? member.claim : known.since());
        claims.merge(claim, now, RingClaims::merged);
      }
    }
    holders.clear();
    claims.forEach(
        (claim, best) -> {
          Claim other = holders.get(claim.hash());
          if (best.isBetter(other == null ? null : claims.get(other))) {
            holders.put(claim.hash(), claim);
          }
        });
    choose(processes);
  }

  private static Best merged(Best one, Best other) {
    return new Best(
        one.standing().isStronger(other.standing()) ? one.standing() : other.standing(),
        Math.min(one.since(), other.since()));
  }

  private void choose(List<RingProcess> processes) {
    Map<Rank, Best> ranks = new HashMap<>();
    Map<Rank, RingMember> chosen = new HashMap<>();
    for (RingProcess process : processes) {
      for (RingMember member : process.members()) {
        member.chosen = false;
        Rank rank = Rank.of(member);
        Best best = new Best(process.standing(), member.claim);
        if (isOf(process, member) && best.isBetter(ranks.get(rank))) {
          ranks.put(rank, best);
          chosen.put(rank, member);
        }
      }
    }
    chosen.values().forEach(member -> member.chosen = true);
  }

  /** Whether the communicator is of the process's account. */
  boolean isOf(RingProcess process, RingMember member) {
    return new Claim(member.hash, process.account()).equals(holders.get(member.hash));
  }
}
