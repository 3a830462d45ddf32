package io.lapwing.agent.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.agent.support.BundlePart.MissingPart;
import io.lapwing.linux.KernelLogState;
import io.lapwing.linux.KernelRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KernelLinesTest {

  private static final Instant AT = Instant.parse("2026-11-20T12:00:00Z");

  private final KernelLines lines = new KernelLines();

  private static KernelRecord record(String text) {
    return new KernelRecord(OptionalLong.of(1), Optional.of(AT), text);
  }

  @Test
  void aLineHasItsTime() throws Exception {
    lines.records(
        List.of(
            record("EDAC MC0: 1 CE"),
            new KernelRecord(OptionalLong.empty(), Optional.empty(), "efa up")));

    assertThat(lines.text()).isEqualTo("2026-11-20T12:00:00Z EDAC MC0: 1 CE\n- efa up\n");
  }

  @Test
  void theNewestAreKept() throws Exception {
    lines.records(IntStream.range(0, 5_007).mapToObj(i -> record("AER: " + i)).toList());

    assertThat(lines.text().lines()).hasSize(5_000).first().asString().endsWith("AER: 7");
  }

  @Test
  void lostMessagesAreCounted() throws Exception {
    lines.lost(12);

    assertThat(lines.text()).contains("12 messages were overwritten before they were read");
  }

  @Test
  void aQuietLogIsNoMissingPart() throws Exception {
    assertThat(lines.text()).isEqualTo("no message of interest\n");
  }

  @Test
  void aLogThatCannotBeReadIsMissingWithItsReason() {
    lines.state(new KernelLogState.Unavailable("permission", "/dev/kmsg: permission denied", ""));

    assertThatThrownBy(lines::text)
        .isInstanceOf(MissingPart.class)
        .hasMessage("/dev/kmsg: permission denied");
  }

  @Test
  void whatWasReadBeforeAFailureIsKept() throws Exception {
    lines.records(List.of(record("mce: CPU 3")));
    lines.state(new KernelLogState.Unavailable("io", "read: EIO", ""));

    assertThat(lines.text()).contains("mce: CPU 3");
  }
}
