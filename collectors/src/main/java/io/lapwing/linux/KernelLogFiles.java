package io.lapwing.linux;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

final class KernelLogFiles {

  interface Opener {
    Opened open(Path path) throws IOException;
  }

  record Opened(RecordReader reader, KernelLogState.Kind kind) {}

  /** From {@code sys/stat.h}. */
  private static final int TYPE = 0170000;

  private static final int FIFO = 0010000;
  private static final int DEVICE = 0020000;
  private static final int REGULAR = 0100000;

  private KernelLogFiles() {}

  /** Opens a log of records in the format of /dev/kmsg. */
  static Opened kmsg(Path path) throws IOException {
    int type = (Integer) Files.getAttribute(path, "unix:mode") & TYPE;
    return switch (type) {
      case DEVICE ->
          new Opened(
              new ChannelReader(FileChannel.open(path, StandardOpenOption.READ)),
              KernelLogState.Kind.KMSG);
      case FIFO -> new Opened(fifo(path), KernelLogState.Kind.KMSG);
      case REGULAR -> new Opened(AppendedFile.whole(path), KernelLogState.Kind.FILE);
      default -> throw new IOException("not a device, a FIFO or a regular file");
    };
  }

  /** Opened for writing too, so that opening does not wait for a writer and none is the last. */
  private static RecordReader fifo(Path path) throws IOException {
    return new ChannelReader(
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  /** A log with blocking reads: /dev/kmsg, one record per read, or a FIFO. */
  private record ChannelReader(FileChannel channel) implements RecordReader {

    @Override
    public Got read(ByteBuffer into) throws IOException {
      if (channel.read(into) <= 0) {
        throw new EOFException("end of file");
      }
      return Got.BYTES;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
