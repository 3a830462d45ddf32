package io.lapwing.agent.events;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Another agent writes to this directory. */
final class LockedException extends FileSystemException {
  private static final long serialVersionUID = 1;

  LockedException(Path lock) {
    super(lock.toString(), null, "locked by another agent");
  }
}
