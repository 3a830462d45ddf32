package io.lapwing.linux;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Waits for changes in a folder by inotify, instead of polling. */
public final class FolderWatch implements Closeable {

  private final WatchService service;
  private final WatchKey key;

  private FolderWatch(WatchService service, WatchKey key) {
    this.service = service;
    this.key = key;
  }

  /** Empty if the folder cannot be watched, such as without a free inotify instance. */
  public static Optional<FolderWatch> of(Path folder, WatchEvent.Kind<?>... kinds) {
    try {
      WatchService service = folder.getFileSystem().newWatchService();
      try {
        return Optional.of(new FolderWatch(service, folder.register(service, kinds)));
      } catch (IOException refused) {
        service.close();
        return Optional.empty();
      }
    } catch (IOException noInstance) {
      return Optional.empty();
    }
  }

  /** Waits for a change, for at most that time; whether there was one. */
  public boolean await(long millis) throws InterruptedException {
    WatchKey changed = service.poll(millis, TimeUnit.MILLISECONDS);
    if (changed == null) {
      return false;
    }
    changed.pollEvents();
    changed.reset();
    return true;
  }

  /** Whether the folder is still there; another one at its path is not watched. */
  public boolean isValid() {
    return key.isValid();
  }

  @Override
  public void close() {
    try {
      service.close();
    } catch (IOException impossible) {
      throw new UncheckedIOException("closing a watch of files failed", impossible);
    }
  }
}
