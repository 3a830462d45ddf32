package io.lapwing.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.kubelet.PodResources;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {

  private static Reading<List<Checkpoint.Entry>> entries(String json) throws IOException {
    return entries(json.getBytes(StandardCharsets.UTF_8));
  }

  private static Reading<List<Checkpoint.Entry>> entries(byte[] json) throws IOException {
    Path file = Files.createTempFile("checkpoint", ".json");
    try {
      return new Checkpoint(Files.write(file, json)).entries();
    } finally {
      Files.delete(file);
    }
  }

  private static List<Checkpoint.Entry> of(Reading<List<Checkpoint.Entry>> entries) {
    return entries.toOptional().orElseThrow();
  }

  @Test
  void readsBothFormatsAndIgnoresOtherDevices() throws IOException {
    assertThat(of(entries(JobNode.resource("checkpoint/now.json"))))
        .containsExactly(
            new Checkpoint.Entry(JobNode.POD, "trainer", JobNode.GPU0),
            new Checkpoint.Entry(JobNode.POD, "trainer", JobNode.GPU1));
    assertThat(of(entries(JobNode.resource("checkpoint/before-1.20.json"))))
        .containsExactly(new Checkpoint.Entry(JobNode.POD, "trainer", JobNode.GPU1));
  }

  @Test
  void withoutEntriesThereAreNoDevices() throws IOException {
    assertThat(of(entries("{\"Data\":{\"PodDeviceEntries\":null}}"))).isEmpty();
    assertThat(of(entries("{\"Data\":{\"PodDeviceEntries\":[]}}"))).isEmpty();
  }

  @Test
  void anInvalidCheckpointFails() throws IOException {
    for (String other :
        List.of(
            "",
            "{",
            "[]",
            "7",
            "{}",
            "{\"Data\":7}",
            "{\"Data\":{}}",
            "\0\0\0",
            "{\"Data\":{\"PodDeviceEntries\":[{")) {
      assertThat(entries(other).failure()).as(other).hasValue("malformed");
    }
    assertThat(entries("[".repeat(100_000)).failure()).hasValue("malformed");
  }

  @Test
  void entriesOfUnexpectedTypesAreIgnored() throws IOException {
    assertThat(
            of(
                entries(
                    "{\"Data\":{\"PodDeviceEntries\":[7,[],{\"PodUID\":{\"a\":[1]},"
                        + "\"ResourceName\":\"nvidia.com/gpu\",\"DeviceIDs\":7},null]}}")))
        .isEmpty();
  }

  @Test
  void aHugeCheckpointIsRejectedWithoutLoadingIt(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("checkpoint");
    try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 40);
    }
    assertThat(new Checkpoint(file).entries().failure()).hasValue("too_large");
  }

  @Test
  void tooManyDevicesAreRejected() throws IOException {
    String ids = "\"GPU-0\",".repeat(PodResources.MAX_DEVICES);
    String entry = "{\"ResourceName\":\"nvidia.com/gpu\",\"DeviceIDs\":[" + ids + "\"GPU-1\"]}";
    assertThat(entries("{\"Data\":{\"PodDeviceEntries\":[" + entry + "," + entry + "]}}").failure())
        .hasValue("too_many");
  }

  @Test
  void aMissingFileIsReadOnceItAppears(@TempDir Path dir) throws IOException {
    Checkpoint checkpoint = new Checkpoint(dir.resolve("checkpoint"));
    assertThat(checkpoint.entries()).isInstanceOf(Reading.Missing.class);
    Files.write(dir.resolve("checkpoint"), JobNode.resource("checkpoint/before-1.20.json"));
    assertThat(of(checkpoint.entries())).hasSize(1);
  }

  @Property(tries = 300)
  void oneThatWasCutOrChangedFailsOrIsRead(
      @ForAll @IntRange(max = 700) int length,
      @ForAll @IntRange(max = 700) int at,
      @ForAll byte with)
      throws IOException {
    byte[] json = JobNode.resource("checkpoint/now.json");
    byte[] cut = Arrays.copyOf(json, Math.min(json.length, length));
    if (at < cut.length) {
      cut[at] = with;
    }
    assertThat(entries(cut)).isInstanceOfAny(Reading.Present.class, Reading.Failed.class);
  }
}
