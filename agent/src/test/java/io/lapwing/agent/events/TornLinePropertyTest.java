package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** A process that dies while it writes leaves a part of a line. */
class TornLinePropertyTest {

  @Provide
  Arbitrary<Event> events() {
    return EventArbitraries.events();
  }

  @Property(tries = 20)
  void aLineTornAnywhereIsCutOffAndNothingBeforeItIsLost(
      @ForAll @Size(max = 3) List<@From("events") Event> before, @ForAll("events") Event torn)
      throws IOException {
    Assume.that(!before.contains(torn));
    List<Event> whole = List.copyOf(new LinkedHashSet<>(before));
    byte[] head = EventJson.lines(whole);
    byte[] last = EventJson.lines(List.of(torn));
    try (ScratchDirectory directory = ScratchDirectory.make()) {
      for (int cut = 0; cut <= last.length; cut++) {
        byte[] bytes = Arrays.copyOf(head, head.length + cut);
        System.arraycopy(last, 0, bytes, head.length, cut);
        directory.write(bytes);
        // Without its line feed alone a line is still whole.
        boolean lost = cut < last.length - 1;

        assertRepaired(directory, lost ? whole : with(whole, torn), lost && cut > 0);
      }
    }
  }

  private static void assertRepaired(
      ScratchDirectory directory, List<Event> expected, boolean reported) throws IOException {
    Event next = new Event.GpuReturned(Instant.EPOCH, "the next one");

    HistoryLog log = directory.open();
    OpenResult opened = log.opened();
    log.append(List.of(next));
    log.close();
    assertThat(opened.events()).isEqualTo(expected);
    assertThat(opened.problems()).hasSize(reported ? 1 : 0);
    assertThat(opened.malformed()).isZero();

    OpenResult again = directory.replayed();
    assertThat(again.events()).isEqualTo(with(expected, next));
    assertThat(again.problems()).isEmpty();
    assertThat(directory.bytes()).isEqualTo(EventJson.lines(with(expected, next)));
  }

  private static List<Event> with(List<Event> events, Event more) {
    return Stream.concat(events.stream(), Stream.of(more)).toList();
  }
}
