package io.lapwing.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.RecordedSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Any bytes result in finite values or counted rejections. */
class StepFilesPropertyTest {

  private static Path folder = Path.of("");

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = Files.createTempDirectory("steps");
  }

  @AfterContainer
  static void removeFolder() throws IOException {
    Files.deleteIfExists(folder.resolve("a.steps"));
    Files.delete(folder);
  }

  private static void read(byte[] first, byte[] then) throws IOException {
    Path file = folder.resolve("a.steps");
    Files.write(file, first);
    try (TrainingNode node = new TrainingNode(folder)) {
      for (int i = 0; i < 8; i++) {
        node.poll();
        for (String name : node.names()) {
          assertThat(node.rank(name).samples())
              .extracting(RecordedSink.Sample::value)
              .allMatch(Double::isFinite);
        }
        Files.write(file, then);
      }
      node.names().forEach(node::remove);
    }
  }

  @Property(tries = 100)
  void anyBytes(@ForAll byte[] bytes) throws IOException {
    read(bytes, bytes);
  }

  @Property(tries = 100)
  void aStepFileWithSomeBytesChanged(
      @ForAll long seed, @ForAll @IntRange(max = 60) int changes, @ForAll boolean whileRead)
      throws IOException {
    Random random = new Random(seed);
    byte[] whole = MadeSteps.rank(0).steps(random.nextInt(40)).toBytes();
    byte[] changed = whole.clone();
    for (int i = 0; i < changes; i++) {
      changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
    }
    read(whileRead ? whole : changed, changed);
  }

  @Property(tries = 100)
  void aStepFileWithImpossibleNumbers(@ForAll long seed, @ForAll @IntRange(max = 20) int odd)
      throws IOException {
    Random random = new Random(seed);
    long[] values = {
      0,
      1,
      -1,
      Long.MAX_VALUE,
      Long.MIN_VALUE,
      1L << 53,
      Double.doubleToLongBits(Double.NaN),
      Double.doubleToLongBits(1e308),
      Double.doubleToLongBits(-0.0),
      MadeSteps.nanos(MadeSteps.BEGAN)
    };
    MadeSteps steps = MadeSteps.rank(0).steps(random.nextInt(30));
    for (int i = 0; i < odd; i++) {
      steps.big(104 + 8 * random.nextInt(5), values[random.nextInt(values.length)]);
      int place = 1024 + 8 * random.nextInt(16 * 24);
      steps.big(place, values[random.nextInt(values.length)]);
    }
    read(steps.toBytes(), steps.toBytes());
  }
}
