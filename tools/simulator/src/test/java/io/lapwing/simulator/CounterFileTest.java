package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CounterFileTest {
  @Test
  void aNumberIsWrittenAsTheKernelWritesIt(@TempDir Path dir) throws IOException {
    CounterFile file = new CounterFile(dir.resolve("tx_bytes"));
    file.create(0);
    assertThat(dir.resolve("tx_bytes")).hasContent("0");
    file.write(1_234_567);
    assertThat(Files.readString(dir.resolve("tx_bytes"))).isEqualTo("1234567\n");
    file.write(-1);
    assertThat(Files.readString(dir.resolve("tx_bytes"))).isEqualTo("18446744073709551615\n");
  }

  @Test
  void aNumberThatShrinksLeavesNoDigitBehind(@TempDir Path dir) throws IOException {
    CounterFile file = new CounterFile(dir.resolve("tx_bytes"));
    file.create(987_654);
    file.write(12);
    assertThat(Files.readString(dir.resolve("tx_bytes"))).isEqualTo("12\n\n\n\n\n");
    file.write(1_234_567);
    assertThat(Files.readString(dir.resolve("tx_bytes"))).isEqualTo("1234567\n");
  }

  /** Each number is one digit over and over, so that half of one or a mixture would show. */
  @Test
  void aReaderThatKeepsTheFileOpenNeverSeesHalfANumber(@TempDir Path dir) throws Exception {
    Path path = dir.resolve("tx_bytes");
    CounterFile file = new CounterFile(path);
    file.create(0);
    file.open();
    AtomicBoolean done = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              try {
                for (int round = 0; round < 2_000; round++) {
                  file.write(111);
                  file.write(11_111_111_111L);
                  file.write(0);
                }
              } catch (IOException broken) {
                throw new AssertionError(broken);
              } finally {
                done.set(true);
              }
            });
    writer.start();
    try (FileChannel reader = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(64);
      while (!done.get()) {
        bytes.clear();
        reader.read(bytes, 0);
        String seen = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
        assertThat(seen.strip()).isIn("0", "111", "11111111111");
      }
    }
    writer.join();
    file.close();
  }
}
