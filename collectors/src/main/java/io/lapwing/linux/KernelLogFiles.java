package io.lapwing.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens logs, each by what it is. */
final class KernelLogFiles {

  /** A reader with its kind. */
  record Opened(RecordReader reader, KernelLogState.Kind kind) {}

  /** From {@code sys/stat.h}. */
  private static final int TYPE = 0170000;

  private static final int FIFO = 0010000;
  private static final int DEVICE = 0020000;
  private static final int REGULAR = 0100000;

  private KernelLogFiles() {}

  /**
   * A log of records in the form of /dev/kmsg.
   *
   * @throws IOException where it is not there, must not be read, or is no such file
   */
  static Opened kmsg(Path path) throws IOException {
    int type = (Integer) Files.getAttribute(path, "unix:mode") & TYPE;
    return switch (type) {
      case DEVICE -> new Opened(ChannelReader.device(path), KernelLogState.Kind.KMSG);
      case FIFO -> new Opened(ChannelReader.fifo(path), KernelLogState.Kind.KMSG);
      case REGULAR -> new Opened(AppendedFile.whole(path), KernelLogState.Kind.FILE);
      default -> throw new IOException("it is neither a device nor a FIFO nor a regular file");
    };
  }
}
