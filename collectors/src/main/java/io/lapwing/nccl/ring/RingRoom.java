package io.lapwing.nccl.ring;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which ranks are exposed if all have too many series: those whose processes have the best standing
 * first, and of these the accounts in turns, so that the account with the most loses first.
 */
final class RingRoom {

  /**
   * A quarter of the page; 16 processes with 16 communicators and three operations each have 3,840.
   */
  static final int MAX_SERIES = 4096;

  private RingRoom() {}

  /** Of those that are chosen. */
  static Set<RingMember> exposed(List<RingProcess> processes) {
    Set<RingMember> exposed = new HashSet<>();
    int series = 0;
    for (RingProcess process : processes) {
      for (RingMember member : process.members()) {
        if (member.chosen) {
          exposed.add(member);
          series += member.series();
        }
      }
    }
    return series <= MAX_SERIES ? exposed : fitting(processes);
  }

  private static Set<RingMember> fitting(List<RingProcess> processes) {
    Set<RingMember> fitting = new HashSet<>();
    int room = MAX_SERIES;
    RingStanding[] standings = RingStanding.values();
    for (int i = standings.length - 1; i >= 0; i--) {
      List<Deque<RingMember>> accounts = accounts(processes, standings[i]);
      while (!accounts.isEmpty()) {
        for (Iterator<Deque<RingMember>> turn = accounts.iterator(); turn.hasNext(); ) {
          RingMember next = turn.next().peek();
          if (next == null || next.series() > room) {
            turn.remove();
          } else {
            room -= next.series();
            fitting.add(next);
          }
        }
        accounts.forEach(Deque::poll);
      }
    }
    return fitting;
  }

  /** The members of each account, by when they were first seen. */
  private static List<Deque<RingMember>> accounts(
      List<RingProcess> processes, RingStanding standing) {
    Map<String, List<RingMember>> accounts = new TreeMap<>();
    for (RingProcess process : processes) {
      if (process.standing() == standing) {
        process.members().stream()
            .filter(member -> member.chosen)
            .forEach(
                member ->
                    accounts
                        .computeIfAbsent(process.account(), unseen -> new ArrayList<>())
                        .add(member));
      }
    }
    List<Deque<RingMember>> queues = new ArrayList<>();
    accounts
        .values()
        .forEach(
            members -> {
              members.sort(Comparator.comparingLong(member -> member.claim));
              queues.add(new ArrayDeque<>(members));
            });
    return queues;
  }
}
