package io.lapwing.agent.events;

import io.lapwing.agent.events.Storage.DiskStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** The real disk, which fails after so many steps: bytes written and other operations. */
class FaultyStorage implements Storage {

  /** The effect from then on. */
  enum Fault {
    /** Nothing more can be written; all other operations work. */
    FULL,
    /** Nothing works. */
    DEAD
  }

  private final Fault fault;
  private final List<FaultyFile> files = new ArrayList<>();
  private long good;
  private long bad;

  /**
   * @param good steps that succeed
   * @param bad later steps that fail, before the disk works again
   */
  FaultyStorage(Fault fault, long good, long bad) {
    this.fault = fault;
    this.good = good;
    this.bad = bad;
  }

  boolean hasFailed() {
    return good == 0;
  }

  void repair() {
    bad = 0;
  }

  /**
   * The power fails: of the bytes that were not forced, only a part is on the disk afterwards.
   *
   * @param kept the fraction, from 0 to 1
   */
  void losePower(double kept) throws IOException {
    for (FaultyFile file : files) {
      file.losePower(kept);
    }
  }

  private void step(boolean writes) throws IOException {
    if (good > 0) {
      good--;
    } else if (bad > 0 && (writes || fault == Fault.DEAD)) {
      bad--;
      throw new IOException(fault == Fault.FULL ? "No space left on device" : "Input/output error");
    }
  }

  @Override
  public OpenFile open(Path file, long size) throws IOException {
    step(true);
    FaultyFile opened = new FaultyFile(file, DiskStorage.INSTANCE.open(file, size), size);
    files.add(opened);
    return opened;
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    step(false);
    DiskStorage.INSTANCE.move(from, to);
    files.stream().filter(file -> file.path.equals(from)).forEach(file -> file.path = to);
  }

  @Override
  public void delete(Path file) throws IOException {
    step(false);
    DiskStorage.INSTANCE.delete(file);
    files.removeIf(open -> open.path.equals(file));
  }

  @Override
  public void forceNames(Path directory) throws IOException {
    step(false);
    DiskStorage.INSTANCE.forceNames(directory);
  }

  private final class FaultyFile implements OpenFile {
    private final OpenFile real;
    private Path path;
    private long written;
    private long forced;

    FaultyFile(Path path, OpenFile real, long size) {
      this.path = path;
      this.real = real;
      this.written = size;
      this.forced = size;
    }

    /** May fail after any byte. */
    @Override
    public void write(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        step(true);
        int some = (int) Math.min(bytes.remaining(), bad > 0 ? good + 1 : Long.MAX_VALUE);
        good -= Math.min(good, some - 1);
        ByteBuffer part = bytes.slice(bytes.position(), some);
        while (part.hasRemaining()) {
          real.write(part);
        }
        bytes.position(bytes.position() + some);
        written += some;
      }
    }

    @Override
    public void force() throws IOException {
      step(false);
      real.force();
      forced = written;
    }

    @Override
    public void truncate(long size) throws IOException {
      step(false);
      real.truncate(size);
      written = size;
      forced = Math.min(forced, size);
    }

    @Override
    public void close() throws IOException {
      real.close();
    }

    void losePower(double kept) throws IOException {
      long left = forced + (long) (kept * (double) (written - forced));
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        if (channel.size() > left) {
          channel.truncate(left);
        }
      }
    }
  }
}
