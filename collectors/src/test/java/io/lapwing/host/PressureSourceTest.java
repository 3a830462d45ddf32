package io.lapwing.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.RecordedSink;
import io.lapwing.linux.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PressureSourceTest {

  private static final String CPU =
      """
      some avg10=0.00 avg60=0.17 avg300=1.11 total=58761459
      full avg10=0.00 avg60=0.00 avg300=0.00 total=0
      """;
  private static final String IO =
      """
      some avg10=0.22 avg60=0.17 avg300=1.11 total=12500000
      full avg10=0.22 avg60=0.16 avg300=1.08 total=9250000
      """;

  private Path proc;

  @BeforeEach
  void folder(@TempDir Path folder) throws IOException {
    proc = folder;
    write("cpu", CPU);
    write("io", IO);
  }

  private void write(String resource, String text) throws IOException {
    Path folder = Files.createDirectories(proc.resolve("pressure"));
    Files.writeString(folder.resolve(resource), text);
  }

  private RecordedSink page() {
    PressureSource source = new PressureSource(new ProcFs(proc));
    RecordedSink sink = new RecordedSink();
    assertThat(source.begin(source.collectors())).isEqualTo(Access.READY);
    source.collectors().forEach(collector -> collector.collect(sink));
    return sink;
  }

  @Test
  void stallTimePerResourceIsInSeconds() {
    assertThat(page().lines())
        .containsExactly(
            "lapwing_host_pressure_seconds_total{resource=\"cpu\",tasks=\"some\"} 58.761459",
            "lapwing_host_pressure_seconds_total{resource=\"cpu\",tasks=\"full\"} 0",
            "lapwing_host_pressure_seconds_total{resource=\"io\",tasks=\"some\"} 12.5",
            "lapwing_host_pressure_seconds_total{resource=\"io\",tasks=\"full\"} 9.25");
  }

  @Test
  void beforeLinux513TheCpuHasNoFullLine() throws IOException {
    write("cpu", "some avg10=0.00 avg60=0.17 avg300=1.11 total=58761459\n");
    assertThat(page().lines()).hasSize(3);
  }

  @Test
  void aMalformedFileCostsOnlyItsOwnResource() throws IOException {
    write("cpu", "some avg10=0.00 total=-1\n");
    RecordedSink page = page();
    assertThat(page.lines()).hasSize(2).allMatch(line -> line.contains("resource=\"io\""));
    assertThat(page.failures()).containsExactly(proc.resolve("pressure/cpu") + ": malformed");
  }

  @Test
  void withoutPressureInTheKernelTheSourceIsAbsent() {
    PressureSource source = new PressureSource(new ProcFs(proc.resolve("other")));
    assertThat(source.begin(List.of())).isInstanceOf(Access.NothingHere.class);
  }
}
