package io.lapwing.linux;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Selects which of many new files of a world-writable folder are opened now. Users take turns, so
 * that the files of one do not delay those of another; of each user the oldest file goes first, so
 * that an endless series of new files does not delay existing ones.
 */
public final class FairChoice {

  private final int max;
  private final int maxOfUser;

  /**
   * A file.
   *
   * @param inode tmpfs numbers files in the order in which they were made; no user can choose it
   */
  public record Candidate(String name, long user, long inode) {}

  /**
   * The files to open.
   *
   * @param left how many others there are
   */
  public record Choice(List<String> names, int left) {}

  /** At most so many files, and so many of one user. */
  public FairChoice(int max, int maxOfUser) {
    this.max = max;
    this.maxOfUser = maxOfUser;
  }

  public Choice of(Collection<Candidate> files) {
    Map<Long, List<Candidate>> users = new TreeMap<>();
    for (Candidate file : files) {
      users.computeIfAbsent(file.user(), unused -> new ArrayList<>()).add(file);
    }
    users.values().forEach(own -> own.sort(Comparator.comparingLong(Candidate::inode)));
    List<String> names = new ArrayList<>();
    boolean more = true;
    for (int turn = 0; turn < maxOfUser && more; turn++) {
      more = false;
      for (List<Candidate> own : users.values()) {
        if (turn < own.size() && names.size() < max) {
          names.add(own.get(turn).name());
          more = true;
        }
      }
    }
    return new Choice(names, files.size() - names.size());
  }
}
