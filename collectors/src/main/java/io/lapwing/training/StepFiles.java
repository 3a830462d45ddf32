package io.lapwing.training;

import io.lapwing.collect.SourceSet;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files of one folder: those that are read, each by a source, and those that are not. */
final class StepFiles {

  /** Ranks that are read at most: several jobs on the largest nodes. */
  static final int MOST_RANKS = 256;

  /** Files that are opened in one look at most; the others wait for the next. */
  private static final int MOST_OPENED = 1024;

  /** Refused files that are compared with what they were each time the folder changed. */
  private static final int MOST_COMPARED = 256;

  private final StepsFolder folder;
  private final SourceSet sources;
  private final RankSurroundings around;
  private final Map<String, RankSource> read = new HashMap<>();
  private final Map<String, Refused> refused = new HashMap<>();
  private boolean waiting;
  private boolean overfull;
  private int odd;

  /**
   * A file that is not read.
   *
   * @param why empty for one whose loop has ended
   * @param look at it then; null where that failed
   * @param created what its header said; 0 where it could not be read
   * @param again whether it is to be opened again
   */
  private record Refused(
      Optional<Rejection> why, StepFile.@Nullable Look look, long created, boolean again) {

    Refused onceMore() {
      return new Refused(why, look, created, true);
    }

    /** Two that write to one file are not told apart by looking again. */
    boolean isFinal(StepFile file) {
      return why.equals(Optional.of(Rejection.TWO_WRITERS))
          && look != null
          && look.key().equals(file.look().key())
          && created == file.header().created();
    }
  }

  StepFiles(StepsFolder folder, SourceSet sources, RankSurroundings around) {
    this.folder = folder;
    this.sources = sources;
    this.around = around;
  }

  int size() {
    return read.size();
  }

  /** Takes away those that are over. */
  void dropOver() {
    for (Map.Entry<String, RankSource> one : List.copyOf(read.entrySet())) {
      if (one.getValue().isOver()) {
        drop(one.getKey());
        refuse(one.getKey(), one.getValue().why(), one.getValue().file());
      }
    }
  }

  /** Whether files are left that the last look did not come to. */
  boolean waiting() {
    return waiting;
  }

  /** Whether the folder is so full that it is not to be listed all the time. */
  boolean crowded() {
    return refused.size() > MOST_OPENED;
  }

  /** Looks at what is there. */
  void look() throws IOException {
    StepsFolder.Names names = folder.names();
    if (!names.all() && !overfull) {
      around.faults().file(Rejection.TOO_MANY);
    }
    overfull = !names.all();
    for (; odd < names.odd(); odd++) {
      around.faults().file(Rejection.BAD_NAME);
    }
    odd = names.odd();
    refused.keySet().retainAll(names.steps());
    List.copyOf(read.keySet()).stream()
        .filter(name -> !names.steps().contains(name) || isAnother(name))
        .forEach(this::drop);
    if (refused.size() <= MOST_COMPARED) {
      refused.replaceAll((name, one) -> isAsBefore(name, one) ? one : one.onceMore());
    }
    List<String> candidates = new ArrayList<>();
    names.steps().stream()
        .filter(name -> !read.containsKey(name) && !refused.containsKey(name))
        .forEach(candidates::add);
    refused.forEach(
        (name, one) -> {
          if (one.again()) {
            candidates.add(name);
          }
        });
    waiting = candidates.size() > MOST_OPENED;
    candidates.stream().limit(MOST_OPENED).forEach(this::examine);
  }

  /** What was refused may be right by now. */
  void doubt() {
    refused.replaceAll((name, one) -> one.onceMore());
  }

  /** The folder is gone. */
  void dropAll() {
    List.copyOf(read.keySet()).forEach(this::drop);
    refused.clear();
    waiting = false;
  }

  private void drop(String name) {
    RankSource gone = read.remove(name);
    if (gone != null) {
      sources.remove(gone.name());
    }
  }

  private StepFile.@Nullable Look lookAt(String name) {
    try {
      return StepFile.Look.at(folder.path().resolve(name));
    } catch (IOException unseen) {
      return null;
    }
  }

  private boolean isAnother(String name) {
    RankSource source = read.get(name);
    StepFile.Look now = lookAt(name);
    return source != null && now != null && !now.key().equals(source.file().look().key());
  }

  private boolean isAsBefore(String name, Refused one) {
    StepFile.Look now = lookAt(name);
    return now == null ? one.look() == null : now.equals(one.look());
  }

  private void examine(String name) {
    try {
      StepFile file = StepFile.open(folder.path().resolve(name));
      if (!accept(name, file)) {
        file.close();
      }
    } catch (NoSuchFileException gone) {
      refused.remove(name);
    } catch (RejectedFile rejected) {
      refuse(name, Optional.of(rejected.why()), null);
    }
  }

  private boolean accept(String name, StepFile file) {
    Refused before = refused.get(name);
    Optional<Rejection> why =
        before != null && before.isFinal(file) ? before.why() : objection(file);
    if (why.isPresent() || file.phase() == Phase.ENDED) {
      refuse(name, why, file);
      return false;
    }
    refused.remove(name);
    Set<String> parts = new HashSet<>();
    Set<String> names = new HashSet<>();
    read.values().forEach(source -> parts.add(source.partName()));
    read.values().forEach(source -> names.add(source.name()));
    RankNames free = RankNames.of(file.header(), parts, names);
    RankSource source = new RankSource(free.source(), free.part(), file, around);
    read.put(name, source);
    sources.add(source);
    return true;
  }

  private Optional<Rejection> objection(StepFile file) {
    if (file.phase() == Phase.ENDED) {
      return Optional.empty();
    }
    if (!around.liveness().isAlive(file, LastSign.of(file, around))) {
      return Optional.of(Rejection.PROCESS_GONE);
    }
    if (!around.liveness().isOfItsOwner(file)) {
      return Optional.of(Rejection.OWNER);
    }
    Optional<String> other = sameRank(file);
    if (other.isPresent()) {
      return supersede(other.get(), file) ? Optional.empty() : Optional.of(Rejection.DUPLICATE);
    }
    return read.size() < MOST_RANKS ? Optional.empty() : Optional.of(Rejection.TOO_MANY);
  }

  private Optional<String> sameRank(StepFile file) {
    return read.entrySet().stream()
        .filter(one -> one.getValue().file().header().sameRank(file.header()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** The newer one of two of one user speaks for a rank; of two users, the one who came first. */
  private boolean supersede(String name, StepFile newer) {
    RankSource older = read.get(name);
    if (older == null
        || older.file().header().created() >= newer.header().created()
        || older.file().look().user() != newer.look().user()) {
      return false;
    }
    drop(name);
    refuse(name, Optional.of(Rejection.DUPLICATE), older.file());
    return true;
  }

  /** Counts a reason that is another than before. */
  private void refuse(String name, Optional<Rejection> why, @Nullable StepFile file) {
    Refused before = refused.get(name);
    if (why.isPresent() && (before == null || !before.why().equals(why))) {
      around.faults().file(why.get());
    }
    boolean again = why.equals(Optional.of(Rejection.REPLACED));
    waiting |= again;
    refused.put(
        name,
        new Refused(
            why,
            file == null ? lookAt(name) : file.look(),
            file == null ? 0 : file.header().created(),
            again));
  }
}
