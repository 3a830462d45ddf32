package io.lapwing.training;

import io.lapwing.linux.FolderWatch;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reports created and deleted step files, at most once a second, however many a user creates, and
 * the creation of their folder if only that is missing. Without inotify they are found at the
 * source's cadence.
 */
final class StepFolderWatch {

  private static final long SECOND = 1000;

  /** In the place of the key of a folder that does not exist. */
  private static final Object AWAITED = new Object();

  private final Path folder;
  private final Runnable changed;
  private @Nullable Object watched;
  private Optional<FolderWatch> watch = Optional.empty();

  /** {@code changed} is called on a thread of its own. */
  StepFolderWatch(Path folder, Runnable changed) {
    this.folder = folder;
    this.changed = changed;
  }

  /** Watches the folder at the path, which has this file key, unless that is watched already. */
  void follow(@Nullable Object key) {
    if (watch.filter(FolderWatch::isValid).isPresent() && Objects.equals(key, watched)) {
      return;
    }
    watch(folder, key);
  }

  /** Waits for the folder, which does not exist. */
  void awaitFolder() {
    Path parent = folder.toAbsolutePath().getParent();
    boolean waits = watched == AWAITED && watch.filter(FolderWatch::isValid).isPresent();
    if (waits) {
      return;
    }
    if (parent != null && Files.isDirectory(parent)) {
      watch(parent, AWAITED);
    } else {
      stop();
    }
  }

  private void watch(Path target, @Nullable Object key) {
    stop();
    watched = key;
    watch =
        FolderWatch.of(
            target, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
    watch.ifPresent(
        fresh -> {
          Thread thread = new Thread(() -> run(fresh, key == AWAITED), "steps-watch");
          thread.setDaemon(true);
          thread.start();
        });
  }

  void stop() {
    watch.ifPresent(FolderWatch::close);
    watch = Optional.empty();
  }

  private void run(FolderWatch fresh, boolean awaited) {
    try {
      while (fresh.isValid()) {
        if (fresh.await(Long.MAX_VALUE)) {
          boolean exists = !awaited || Files.exists(folder);
          if (exists) {
            changed.run();
          }
          Thread.sleep(SECOND);
          if (exists) {
            // Once more: a new file may have been incomplete.
            changed.run();
          }
        }
      }
    } catch (ClosedWatchServiceException stopped) {
      return;
    } catch (InterruptedException unasked) {
      Thread.currentThread().interrupt();
    }
  }
}
