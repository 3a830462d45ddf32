package io.lapwing.linux;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Waits for changes of one file by inotify in its folder, wherever that is by now. Where inotify is
 * not available or does not report the changes, such as those through a bind mount, it waits for a
 * second instead.
 */
final class FileWatch implements Closeable {

  /** The wait without an event. */
  private static final long MAX_WAIT_MILLIS = 5_000;

  private static final long UNWATCHED_MILLIS = 1_000;

  /** So many changes in a row without an event are no coincidence of both. */
  private static final int MAX_UNREPORTED = 2;

  private final Path file;
  private final long maxWaitMillis;
  private Optional<FolderWatch> folder = Optional.empty();
  private @Nullable Object key;
  private boolean timedOut;
  private int unreported;

  FileWatch(Path file) {
    this(file, MAX_WAIT_MILLIS);
  }

  FileWatch(Path file, long maxWaitMillis) {
    this.file = file;
    this.maxWaitMillis = maxWaitMillis;
    renew();
  }

  /** Waits for a change, or for some seconds. */
  void await() throws InterruptedException {
    boolean reported = isReported();
    timedOut = reported && !folder.orElseThrow().await(maxWaitMillis);
    if (!reported) {
      Thread.sleep(UNWATCHED_MILLIS);
    }
    if (!reported || timedOut) {
      renew();
    }
  }

  /** Whether changes are reported by events, as far as is known. */
  boolean isReported() {
    return folder.isPresent() && unreported < MAX_UNREPORTED;
  }

  /** The file has changed since the last wait. */
  void changed() {
    unreported = timedOut ? unreported + 1 : 0;
    timedOut = false;
  }

  /** Watches the folder that has the file now, also if the file is a link. */
  private void renew() {
    try {
      Path now = Objects.requireNonNull(file.toRealPath().getParent()); // a file has a folder
      Object nowKey = Files.readAttributes(now, BasicFileAttributes.class).fileKey();
      if (folder.filter(FolderWatch::isValid).isEmpty() || !Objects.equals(nowKey, key)) {
        close();
        folder =
            FolderWatch.of(
                now,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_DELETE,
                StandardWatchEventKinds.ENTRY_MODIFY);
        key = nowKey;
        unreported = 0;
      }
    } catch (IOException gone) {
      close();
    }
  }

  @Override
  public void close() {
    folder.ifPresent(FolderWatch::close);
    folder = Optional.empty();
  }
}
