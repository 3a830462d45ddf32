package io.lapwing.drain.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class StampTest {

  private static final Instant NOW = Instant.parse("2026-11-25T19:00:00.5Z");

  private static SlurmNode node(String comment) throws UnreadableAnswer {
    return NodeLine.parse(
        FakeSlurm.node("p5-1", "IDLE", comment.isEmpty() ? "" : "Comment=" + comment));
  }

  @Test
  void theCommentOfTheSiteIsKeptBehindIt() throws UnreadableAnswer {
    for (String comment :
        new String[] {"", "rack 7", "a | b", "lapwing-drain", "lapwing-drain x"}) {
      String stamped = Stamp.with(node(comment), "lapwing-drain 1-1", NOW);
      assertThat(stamped).startsWith("lapwing-drain 1-1 @2026-11-25T19:00:00Z");
      assertThat(Stamp.without(node(stamped))).isEqualTo(comment);
      String again = Stamp.with(node(stamped), "lapwing-drain 1-2", NOW);
      assertThat(Stamp.without(node(again))).isEqualTo(comment);
    }
  }

  @Test
  void aTimeThatIsNoneIsNoStamp() {
    assertThat(Stamp.of("lapwing-drain 1-1 @2026-13-45T99:00:00Z")).isEmpty();
    assertThat(Stamp.of("lapwing-drain 1-1 @2026-11-25T19:00:00Z")).isPresent();
  }

  @Property
  void anyCommentIsAStampOrNone(@ForAll String text) {
    assertThat(Stamp.of(text)).isEmpty();
    Stamp.of("lapwing-drain 1-1 @" + text);
  }
}
