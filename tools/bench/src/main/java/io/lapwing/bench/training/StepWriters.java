package io.lapwing.bench.training;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A separate process that writes the steps of many ranks until stopped: {@code StepWriters FOLDER
 * RANKS STEPS_PER_SECOND}.
 */
final class StepWriters {

  private static final int HEADER = 1024;
  private static final int RECORD = 192;
  private static final int CAPACITY = 512;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final MappedByteBuffer file;
  private long written;

  private StepWriters(Path folder, int rank) throws IOException {
    Path hidden = folder.resolve("." + rank + ".tmp");
    try (FileChannel channel =
        FileChannel.open(
            hidden,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      file = channel.map(FileChannel.MapMode.READ_WRITE, 0, HEADER + (long) CAPACITY * RECORD);
    }
    file.order(ByteOrder.LITTLE_ENDIAN);
    head(rank);
    Files.move(hidden, folder.resolve("bench." + rank + ".steps"), StandardCopyOption.ATOMIC_MOVE);
  }

  private void head(int rank) throws IOException {
    file.put(0, "LAPWSTEP".getBytes(StandardCharsets.US_ASCII));
    file.putInt(8, 1).putInt(12, HEADER).putInt(16, RECORD).putInt(20, CAPACITY);
    file.putInt(24, (int) ProcessHandle.current().pid());
    Object namespace = Files.getAttribute(Path.of("/proc/self/ns/pid"), "unix:ino");
    file.putLong(40, namespace instanceof Number inode ? inode.longValue() : 0);
    file.putInt(48, rank).putInt(52, rank).putInt(56, 0).putInt(60, -1);
    for (int at = 64; at < 84; at += Integer.BYTES) {
      file.putInt(at, -1);
    }
    file.putDouble(104, 6e9).putLong(112, now()).putLong(128, 1).putLong(136, now());
    file.put(256, "bench".getBytes(StandardCharsets.US_ASCII));
    file.put(608, "bf16".getBytes(StandardCharsets.US_ASCII));
  }

  private static long now() {
    return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
  }

  private void step(double seconds) {
    ByteBuffer record = file;
    int at = HEADER + (int) (written % CAPACITY) * RECORD;
    record.putLong(at, 2 * written + 1).putLong(at + 168, 2 * written + 1);
    record.putLong(at + 8, written).putLong(at + 16, now() - (long) (seconds * SECOND));
    record.putDouble(at + 24, seconds).putLong(at + 32, 4096).putLong(at + 40, 1);
    for (int part = 48; part < 104; part += Double.BYTES) {
      record.putDouble(at + part, seconds / 4);
    }
    long all = written + 1;
    record.putLong(at + 104, all).putLong(at + 112, 4096 * all).putLong(at + 120, all);
    for (int total = 128; total < 168; total += Double.BYTES) {
      record.putDouble(at + total, all * seconds / 4);
    }
    record.putLong(at + 168, 2 * written + 2).putLong(at, 2 * written + 2);
    written = all;
    record.putLong(120, written);
  }

  /** Writes until the process is stopped. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = Path.of(arguments[0]).toRealPath(LinkOption.NOFOLLOW_LINKS);
    int perSecond = Integer.parseInt(arguments[2]);
    List<StepWriters> ranks = new ArrayList<>();
    for (int rank = 0; rank < Integer.parseInt(arguments[1]); rank++) {
      ranks.add(new StepWriters(folder, rank));
    }
    long next = System.nanoTime();
    while (!Thread.currentThread().isInterrupted()) {
      ranks.forEach(rank -> rank.step(1.0 / perSecond));
      next += SECOND / perSecond;
      TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
    }
  }
}
