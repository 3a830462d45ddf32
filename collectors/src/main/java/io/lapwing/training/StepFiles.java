package io.lapwing.training;

import io.lapwing.collect.SourceSet;
import io.lapwing.training.StepFile.Rejection;
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

/** The files of one folder: each accepted one has a source, the others a reason. */
final class StepFiles {

  /** Ranks that are read at most: several jobs on the largest nodes. */
  static final int MAX_RANKS = 256;

  /** Files opened per scan; the rest wait for the next one. */
  private static final int MAX_OPENED = 1024;

  /** Up to this many rejected files, their attributes are compared on each scan. */
  private static final int MAX_COMPARED = 256;

  private final StepsFolder folder;
  private final SourceSet sources;
  private final RankContext context;
  private final Map<String, RankSource> read = new HashMap<>();
  private final Map<String, RejectedFile> rejected = new HashMap<>();
  private boolean waiting;
  private boolean truncated;
  private int odd;

  /**
   * @param why empty if its loop has ended
   * @param attributes its attributes at that time; null if they were unreadable
   * @param created from its header; 0 if it was unreadable
   * @param again whether to open it again
   */
  private record RejectedFile(
      Optional<Rejection> why,
      StepFile.@Nullable Attributes attributes,
      long created,
      boolean again) {

    RejectedFile retry() {
      return new RejectedFile(why, attributes, created, true);
    }

    /** Whether the file must not be re-examined: reading it again cannot tell two writers apart. */
    boolean isFinal(StepFile file) {
      return why.equals(Optional.of(Rejection.TWO_WRITERS))
          && attributes != null
          && attributes.key().equals(file.attributes().key())
          && created == file.header().created();
    }
  }

  StepFiles(StepsFolder folder, SourceSet sources, RankContext context) {
    this.folder = folder;
    this.sources = sources;
    this.context = context;
  }

  int size() {
    return read.size();
  }

  void dropEnded() {
    for (Map.Entry<String, RankSource> one : List.copyOf(read.entrySet())) {
      if (one.getValue().isOver()) {
        drop(one.getKey());
        reject(one.getKey(), one.getValue().why(), one.getValue().file());
      }
    }
  }

  /** Whether the last scan left files unopened. */
  boolean waiting() {
    return waiting;
  }

  /** Whether the folder is too full to be listed on every change. */
  boolean crowded() {
    return rejected.size() > MAX_OPENED;
  }

  /** Lists the folder, opens new files and drops those that are gone. */
  void scan() throws IOException {
    StepsFolder.Names names = folder.names();
    if (!names.all() && !truncated) {
      context.faults().file(Rejection.TOO_MANY);
    }
    truncated = !names.all();
    for (; odd < names.odd(); odd++) {
      context.faults().file(Rejection.BAD_NAME);
    }
    odd = names.odd();
    rejected.keySet().retainAll(names.steps());
    List.copyOf(read.keySet()).stream()
        .filter(name -> !names.steps().contains(name) || isReplaced(name))
        .forEach(this::drop);
    if (rejected.size() <= MAX_COMPARED) {
      rejected.replaceAll((name, one) -> isUnchanged(name, one) ? one : one.retry());
    }
    List<String> candidates = new ArrayList<>();
    names.steps().stream()
        .filter(name -> !read.containsKey(name) && !rejected.containsKey(name))
        .forEach(candidates::add);
    rejected.forEach(
        (name, one) -> {
          if (one.again()) {
            candidates.add(name);
          }
        });
    waiting = candidates.size() > MAX_OPENED;
    candidates.stream().limit(MAX_OPENED).forEach(this::open);
  }

  /** Re-examines all rejected files on the next scan. */
  void recheckAll() {
    rejected.replaceAll((name, one) -> one.retry());
  }

  void dropAll() {
    List.copyOf(read.keySet()).forEach(this::drop);
    rejected.clear();
    waiting = false;
  }

  private void drop(String name) {
    RankSource gone = read.remove(name);
    if (gone != null) {
      sources.remove(gone.name());
    }
  }

  private StepFile.@Nullable Attributes attributesOf(String name) {
    try {
      return StepFile.Attributes.at(folder.path().resolve(name));
    } catch (IOException unseen) {
      return null;
    }
  }

  private boolean isReplaced(String name) {
    RankSource source = read.get(name);
    StepFile.Attributes now = attributesOf(name);
    return source != null && now != null && !now.key().equals(source.file().attributes().key());
  }

  private boolean isUnchanged(String name, RejectedFile one) {
    StepFile.Attributes now = attributesOf(name);
    return now == null ? one.attributes() == null : now.equals(one.attributes());
  }

  private void open(String name) {
    try {
      StepFile file = StepFile.open(folder.path().resolve(name));
      if (!accept(name, file)) {
        file.close();
      }
    } catch (NoSuchFileException gone) {
      rejected.remove(name);
    } catch (StepFile.RejectedException rejected) {
      reject(name, Optional.of(rejected.why()), null);
    }
  }

  private boolean accept(String name, StepFile file) {
    RejectedFile before = rejected.get(name);
    Optional<Rejection> why =
        before != null && before.isFinal(file) ? before.why() : rejection(file);
    if (why.isPresent() || file.phase() == Phase.ENDED) {
      reject(name, why, file);
      return false;
    }
    rejected.remove(name);
    Set<String> parts = new HashSet<>();
    Set<String> names = new HashSet<>();
    read.values().forEach(source -> parts.add(source.partName()));
    read.values().forEach(source -> names.add(source.name()));
    RankNames free = RankNames.of(file.header(), parts, names);
    RankSource source = new RankSource(free.source(), free.part(), file, context);
    read.put(name, source);
    sources.add(source);
    return true;
  }

  private Optional<Rejection> rejection(StepFile file) {
    if (file.phase() == Phase.ENDED) {
      return Optional.empty();
    }
    if (!context.liveness().isAlive(file, context.lastActivity(file))) {
      return Optional.of(Rejection.PROCESS_GONE);
    }
    if (!context.liveness().ownerMatches(file)) {
      return Optional.of(Rejection.OWNER);
    }
    Optional<String> other = sameRank(file);
    if (other.isPresent()) {
      return supersede(other.get(), file) ? Optional.empty() : Optional.of(Rejection.DUPLICATE);
    }
    return read.size() < MAX_RANKS ? Optional.empty() : Optional.of(Rejection.TOO_MANY);
  }

  private Optional<String> sameRank(StepFile file) {
    return read.entrySet().stream()
        .filter(one -> one.getValue().file().header().sameRank(file.header()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Of two files of one user the newer represents the rank; of two users, the first one seen. */
  private boolean supersede(String name, StepFile newer) {
    RankSource older = read.get(name);
    if (older == null
        || older.file().header().created() >= newer.header().created()
        || older.file().attributes().user() != newer.attributes().user()) {
      return false;
    }
    drop(name);
    reject(name, Optional.of(Rejection.DUPLICATE), older.file());
    return true;
  }

  /** Counts a reason once, until it changes. */
  private void reject(String name, Optional<Rejection> why, @Nullable StepFile file) {
    RejectedFile before = rejected.get(name);
    if (why.isPresent() && (before == null || !before.why().equals(why))) {
      context.faults().file(why.get());
    }
    boolean again = why.equals(Optional.of(Rejection.REPLACED));
    waiting |= again;
    rejected.put(
        name,
        new RejectedFile(
            why,
            file == null ? attributesOf(name) : file.attributes(),
            file == null ? 0 : file.header().created(),
            again));
  }
}
