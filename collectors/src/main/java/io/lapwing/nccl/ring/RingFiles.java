package io.lapwing.nccl.ring;

import io.lapwing.linux.FairChoice;
import io.lapwing.linux.UserFile;
import io.lapwing.linux.UserFolder;
import io.lapwing.nccl.ring.RingFile.RejectedException;
import io.lapwing.nccl.ring.RingFile.Rejection;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The ring files of a folder that any user may write to. */
final class RingFiles {

  /** Files that are opened per listing; the others wait for the next one. */
  private static final int MAX_OPENED = 256;

  private static final int MAX_OPENED_OF_USER = 128;

  /** Listings between two attempts to open a rejected file. */
  private static final int LISTINGS_PER_RETRY = 12;

  private final UserFolder folder;
  private final FairChoice choice = new FairChoice(MAX_OPENED, MAX_OPENED_OF_USER);
  private final RingProcesses processes;
  private final RingSource.Gpus gpus;
  private final Map<String, RingProcess> read = new TreeMap<>();
  private final Map<String, Rejection> rejected = new HashMap<>();
  private final Map<Rejection, Long> counts = new EnumMap<>(Rejection.class);
  private final RingGone gone = new RingGone();
  private boolean waiting;
  private int odd;
  private int listings;

  RingFiles(Path folder, RingProcesses processes, RingSource.Gpus gpus) {
    this.folder = new UserFolder(folder, RingLayout.SUFFIX);
    this.processes = processes;
    this.gpus = gpus;
    for (Rejection why : Rejection.values()) {
      counts.put(why, 0L);
    }
  }

  List<RingProcess> processes() {
    return List.copyOf(read.values());
  }

  /** Processes that are read no longer, for those that may still wait for them. */
  RingGone gone() {
    return gone;
  }

  /** By reason, from zero. */
  Map<Rejection, Long> counts() {
    return counts;
  }

  /** Lists the folder if names have changed, and now and then; opens new files, drops old ones. */
  void scan() throws IOException {
    listings++;
    boolean retry = listings % LISTINGS_PER_RETRY == 0;
    if (!folder.changed() && !waiting && !retry) {
      return;
    }
    UserFolder.Names names = folder.names();
    for (; odd < names.odd(); odd++) {
      count(Rejection.BAD_NAME);
    }
    odd = names.odd();
    for (String name : List.copyOf(read.keySet())) {
      if (!isSame(name)) {
        gone.add(Objects.requireNonNull(read.get(name)));
        drop(name);
      }
    }
    rejected.keySet().retainAll(names.files());
    List<FairChoice.Candidate> candidates = new ArrayList<>();
    for (String name : names.files()) {
      if (!read.containsKey(name) && (!rejected.containsKey(name) || retry)) {
        examine(name).ifPresent(candidates::add);
      }
    }
    FairChoice.Choice chosen = choice.of(candidates);
    waiting = chosen.left() > 0;
    chosen.names().forEach(this::open);
  }

  /** Whether a file may be a ring file, by its attributes; otherwise it is rejected unopened. */
  private Optional<FairChoice.Candidate> examine(String name) {
    try {
      UserFile.Attributes found = UserFile.Attributes.at(folder.path().resolve(name));
      RingFile.check(found);
      return Optional.of(new FairChoice.Candidate(name, found.user(), found.inode()));
    } catch (NoSuchFileException gone) {
      rejected.remove(name);
    } catch (IOException failed) {
      reject(name, RingFile.reason(failed), null);
    } catch (RejectedException refused) {
      reject(name, refused.why(), null);
    }
    return Optional.empty();
  }

  private boolean isSame(String name) {
    RingProcess process = read.get(name);
    try {
      return process != null
          && UserFile.Attributes.at(process.file().path()).isSameFile(process.file().attributes());
    } catch (IOException gone) {
      return false;
    }
  }

  private void open(String name) {
    RingFile file = null;
    try {
      file = RingFile.open(folder.path().resolve(name));
      if (file.isEnded()) {
        reject(name, null, file);
        return;
      }
      RingProcess process = RingProcess.of(file, processes, gpus);
      new RingBudget(gpus.count())
          .admit(process, read.values())
          .ifPresent(weaker -> end(weaker, Rejection.TOO_MANY));
      rejected.remove(name);
      read.put(name, process);
    } catch (NoSuchFileException gone) {
      rejected.remove(name);
    } catch (RejectedException refused) {
      reject(name, refused.why(), file);
    }
  }

  /** Counts a reason once, until it changes. A file that its process has ended has none. */
  private void reject(String name, @Nullable Rejection why, @Nullable RingFile file) {
    if (file != null) {
      file.close();
    }
    if (why == null) {
      rejected.putIfAbsent(name, Rejection.PROCESS_GONE);
    } else if (rejected.put(name, why) != why) {
      count(why);
    }
  }

  void count(Rejection why) {
    counts.merge(why, 1L, Long::sum);
  }

  /** No longer reads a process, for a reason; null if it has ended. */
  void end(RingProcess process, @Nullable Rejection why) {
    String name = process.file().path().getFileName().toString();
    read.remove(name);
    if (why == null || why == Rejection.PROCESS_GONE) {
      gone.add(process);
    }
    reject(name, why, process.file());
  }

  private void drop(String name) {
    RingProcess gone = read.remove(name);
    if (gone != null) {
      gone.close();
    }
  }

  void dropAll() {
    List.copyOf(read.keySet()).forEach(this::drop);
    gone.clear();
    rejected.clear();
    folder.unsettle();
  }
}
