package io.lapwing.linux;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A log whose read waits for more: /dev/kmsg, one record each read, or a FIFO. */
final class ChannelReader implements RecordReader {

  private final FileChannel channel;

  private ChannelReader(FileChannel channel) {
    this.channel = channel;
  }

  static RecordReader device(Path path) throws IOException {
    return new ChannelReader(FileChannel.open(path, StandardOpenOption.READ));
  }

  /**
   * Opened for writing too: so the opening waits for no writer, and no writer's leaving ends it.
   */
  static RecordReader fifo(Path path) throws IOException {
    return new ChannelReader(
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public Got read(ByteBuffer into) throws IOException {
    if (channel.read(into) <= 0) {
      throw new EOFException("it ended");
    }
    return Got.BYTES;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
