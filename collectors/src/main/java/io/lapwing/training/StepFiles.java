package io.lapwing.training;

import io.lapwing.collect.SourceSet;
import io.lapwing.linux.FairChoice;
import io.lapwing.linux.UserFile;
import io.lapwing.linux.UserFolder;
import io.lapwing.training.StepFile.Rejection;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files of one folder: each accepted one has a source, the others a reason. */
final class StepFiles {

  /** Files opened per scan; the rest wait for the next one. */
  private static final int MAX_OPENED = 1024;

  /** Of one user; in Kubernetes many pods have the same one. */
  private static final int MAX_OPENED_OF_USER = 512;

  /** New files in one scan from which on the folder is listed less often. */
  private static final int MANY_NEW = 1024;

  static final String FLOOD =
      "the steps folder has many files that are no ranks, most of uid %d: new ranks may appear some seconds later";

  /** Up to this many rejected files, their attributes are compared on each scan. */
  private static final int MAX_COMPARED = 256;

  private final UserFolder folder;
  private final SourceSet sources;
  private final RankContext context;
  private final Map<String, RankSource> read = new HashMap<>();
  private final Map<String, RejectedFile> rejected = new HashMap<>();
  private final Map<Long, Integer> owners = new HashMap<>();
  private final Map<Long, String> accounts = new HashMap<>();
  private final GoneRanks gone;
  private final FairChoice choice = new FairChoice(MAX_OPENED, MAX_OPENED_OF_USER);
  private boolean waiting;
  private boolean left;
  private boolean manyNew;
  private boolean saidFlood;
  private boolean truncated;
  private boolean saidOmitted;
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

    /** Whether the file must not be re-examined: another read cannot distinguish two writers. */
    boolean isFinal(StepFile file) {
      return why.equals(Optional.of(Rejection.TWO_WRITERS))
          && attributes != null
          && attributes.isSameFile(file.attributes())
          && created == file.header().created();
    }
  }

  StepFiles(UserFolder folder, SourceSet sources, RankContext context) {
    this.folder = folder;
    this.sources = sources;
    this.context = context;
    this.gone = new GoneRanks(context.now());
  }

  GoneRanks gone() {
    return gone;
  }

  int size() {
    return read.size();
  }

  /** Running ranks that are not read because there are too many. */
  long omitted() {
    return rejected.values().stream()
        .filter(one -> one.why().equals(Optional.of(Rejection.TOO_MANY)))
        .count();
  }

  void dropEnded() {
    for (Map.Entry<String, RankSource> one : List.copyOf(read.entrySet())) {
      if (one.getValue().isOver()) {
        Optional<Rejection> why = one.getValue().why();
        if (why.isEmpty() || why.equals(Optional.of(Rejection.PROCESS_GONE))) {
          gone.removed(
              one.getValue(), why.isEmpty() ? one.getValue().ended() : OptionalLong.empty());
        }
        drop(one.getKey());
        reject(one.getKey(), why, one.getValue().file());
      }
    }
    gone.update(read.values());
  }

  /** Whether the last scan left files unopened. */
  boolean waiting() {
    return waiting;
  }

  /** Whether the folder is too full to be listed on every change. */
  boolean crowded() {
    return manyNew || rejected.size() > MAX_OPENED;
  }

  /** Lists the folder, opens new files and drops removed ones. */
  void scan() throws IOException {
    accounts.clear();
    UserFolder.Names names = folder.names();
    if (!names.all() && !truncated) {
      context.faults().file(Rejection.TOO_MANY);
    }
    truncated = !names.all();
    for (; odd < names.odd(); odd++) {
      context.faults().file(Rejection.BAD_NAME);
    }
    odd = names.odd();
    rejected.keySet().retainAll(names.files());
    List.copyOf(read.keySet()).stream()
        .filter(name -> isGone(name, names) || isReplaced(name))
        .forEach(this::dropRemoved);
    if (rejected.size() <= MAX_COMPARED) {
      rejected.replaceAll((name, one) -> isUnchanged(name, one) ? one : one.retry());
    }
    List<String> unread =
        names.files().stream()
            .filter(name -> !read.containsKey(name) && isToBeExamined(name))
            .toList();
    List<FairChoice.Candidate> candidates = new ArrayList<>();
    unread.forEach(name -> examine(name).ifPresent(candidates::add));
    FairChoice.Choice chosen = choice.of(candidates);
    manyNew = unread.size() > MANY_NEW;
    waiting = chosen.left() > 0;
    noteFlood(chosen);
    chosen.names().forEach(this::open);
  }

  private boolean isToBeExamined(String name) {
    RejectedFile before = rejected.get(name);
    return before == null || before.again();
  }

  /** Whether a file may be a step file, by its attributes; otherwise it is rejected unopened. */
  private Optional<FairChoice.Candidate> examine(String name) {
    try {
      UserFile.Attributes found = UserFile.Attributes.at(folder.path().resolve(name));
      owners.merge(found.user(), 1, Integer::sum);
      StepFile.Attributes attributes = StepFile.Attributes.of(found);
      try {
        StepFile.check(attributes);
        return Optional.of(new FairChoice.Candidate(name, found.user(), found.inode()));
      } catch (StepFile.RejectedException refused) {
        reject(name, Optional.of(refused.why()), attributes, 0);
      }
    } catch (NoSuchFileException gone) {
      rejected.remove(name);
    } catch (IOException failed) {
      reject(name, Optional.of(StepFile.reason(failed)), null, 0);
    }
    return Optional.empty();
  }

  /** Counts and logs that files were left out. */
  private void noteFlood(FairChoice.Choice chosen) {
    boolean leaves = chosen.left() > 0;
    if (leaves && !left) {
      context.faults().file(Rejection.TOO_MANY);
    }
    left = leaves;
    if ((leaves || manyNew) && !saidFlood) {
      saidFlood = true;
      owners.entrySet().stream()
          .max(Map.Entry.comparingByValue())
          .ifPresent(most -> context.warnings().accept(FLOOD.formatted(most.getKey())));
    }
    owners.clear();
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

  /** A rank whose file was removed: by itself at its end, or by another one after it had died. */
  private void dropRemoved(String name) {
    RankSource rank = read.get(name);
    if (rank != null) {
      OptionalLong ended = rank.ended();
      if (ended.isPresent() || rank.isProcessGone()) {
        gone.removed(rank, ended);
      }
    }
    drop(name);
  }

  private StepFile.@Nullable Attributes attributesOf(String name) {
    try {
      return StepFile.Attributes.at(folder.path().resolve(name));
    } catch (IOException unseen) {
      return null;
    }
  }

  /** Whether its name was removed; an incomplete list need not have it. */
  private boolean isGone(String name, UserFolder.Names names) {
    return !names.files().contains(name) && (names.all() || attributesOf(name) == null);
  }

  private boolean isReplaced(String name) {
    RankSource source = read.get(name);
    StepFile.Attributes now = attributesOf(name);
    return source != null && now != null && !now.isSameFile(source.file().attributes());
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
    if (file.phase() == Phase.ENDED) {
      reject(name, Optional.empty(), file);
      return false;
    }
    if (before != null && before.isFinal(file)) {
      reject(name, before.why(), file);
      return false;
    }
    try {
      RankWriter writer = RankWriter.of(file, context.processes());
      admit(name, file, writer);
      add(name, file, writer);
      return true;
    } catch (StepFile.RejectedException refused) {
      reject(name, Optional.of(refused.why()), file);
      return false;
    }
  }

  private void add(String name, StepFile file, RankWriter writer) {
    rejected.remove(name);
    Set<String> parts = new HashSet<>();
    Set<String> names = new HashSet<>();
    read.values().forEach(source -> parts.add(source.partName()));
    read.values().forEach(source -> names.add(source.name()));
    RankNames free = RankNames.of(file.header(), writer.job(), parts, names);
    RankSource source = new RankSource(free, file, writer, context);
    read.put(name, source);
    sources.add(source);
    gone.started(source);
  }

  /** Makes room for a rank, at the cost of a weaker one; otherwise it is rejected. */
  private void admit(String name, StepFile file, RankWriter writer)
      throws StepFile.RejectedException {
    Optional<String> other = sameRank(file, writer);
    if (other.isPresent()) {
      displace(other.get(), Rejection.DUPLICATE, supersedes(file, writer, other.get()));
      return;
    }
    RankBudget.Admission admission =
        new RankBudget(context.gpus().count()).admit(place(name, writer), places());
    if (admission.displaced().isPresent() || !admission.granted()) {
      if (!saidOmitted) {
        saidOmitted = true;
        context.warnings().accept(RankBudget.MANY);
      }
      displace(admission.displaced().orElse(""), Rejection.TOO_MANY, admission.granted());
    }
  }

  private List<RankBudget.Place> places() {
    return read.entrySet().stream()
        .map(one -> place(one.getKey(), one.getValue().writer()))
        .toList();
  }

  private RankBudget.Place place(String name, RankWriter writer) {
    String account = accounts.computeIfAbsent(writer.user(), context.accounts()::apply);
    return new RankBudget.Place(name, writer, account);
  }

  /** Replaces a rank that is read, or rejects the new one for the same reason. */
  private void displace(String name, Rejection why, boolean older)
      throws StepFile.RejectedException {
    RankSource displaced = read.get(name);
    if (!older || displaced == null) {
      throw new StepFile.RejectedException(why);
    }
    drop(name);
    reject(name, Optional.of(why), displaced.file());
  }

  private Optional<String> sameRank(StepFile file, RankWriter writer) {
    return read.entrySet().stream()
        .filter(one -> one.getValue().writer().job().equals(writer.job()))
        .filter(one -> one.getValue().file().header().sameRankAndRun(file.header()))
        .filter(one -> file.header().hasSiblings() || !hasOtherGpu(file, writer, one.getValue()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /**
   * Loops without a launcher have no rank, or rank 0 of 1; they are distinguished by GPU or MIG
   * instance. While the instance of one is unknown, both may be on the same.
   */
  private boolean hasOtherGpu(StepFile file, RankWriter writer, RankSource other) {
    String gpu = gpu(file, writer);
    String used = gpu(other.file(), other.writer());
    boolean known = gpu.contains("/") == used.contains("/");
    return !gpu.isEmpty()
        && !used.isEmpty()
        && (known ? !gpu.equals(used) : !index(gpu).equals(index(used)));
  }

  private static String index(String gpu) {
    return gpu.replaceFirst("/.*", "");
  }

  private String gpu(StepFile file, RankWriter writer) {
    return RankLabels.gpuText(file.header(), context.gpu(file.header(), writer));
  }

  /**
   * Of two that claim one rank, the one with the better standing represents it; else of one user
   * the newer, of two users the one whose process started first, independent of the order in which
   * the files are found.
   */
  private boolean supersedes(StepFile file, RankWriter writer, String other) {
    RankSource older = Objects.requireNonNull(read.get(other));
    boolean newer = older.file().header().created() < file.header().created();
    if (writer.isStronger(older.writer()) || older.writer().isStronger(writer)) {
      return writer.isStronger(older.writer());
    }
    return older.writer().user() == writer.user() ? newer : writer.startedBefore(older.writer());
  }

  private void reject(String name, Optional<Rejection> why, @Nullable StepFile file) {
    reject(
        name,
        why,
        file == null ? attributesOf(name) : file.attributes(),
        file == null ? 0 : file.header().created());
  }

  /** Counts a reason once, until it changes. */
  private void reject(
      String name,
      Optional<Rejection> why,
      StepFile.@Nullable Attributes attributes,
      long created) {
    RejectedFile before = rejected.get(name);
    if (why.isPresent() && (before == null || !before.why().equals(why))) {
      context.faults().file(why.get());
    }
    boolean again = why.equals(Optional.of(Rejection.REPLACED));
    waiting |= again;
    rejected.put(name, new RejectedFile(why, attributes, created, again));
  }
}
