package io.lapwing.drain.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.request.Request;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RequestKeysTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private static final NodeName A = new NodeName("a");

  private final RequestKeys keys = new RequestKeys(new SeenKeys(3, Duration.ofHours(1)));

  private static Request request(String key, String node) {
    return new Request(
        key,
        new NodeName(node),
        Remedy.REBOOT_NODE,
        Urgency.NOW,
        "xid_79",
        "XID 79",
        "alertmanager",
        NOW,
        false);
  }

  private boolean add(String key, String node, Instant now) {
    return keys.add(request(key, node), now);
  }

  @Test
  void aKeyIsNewAgainAfterItsTime() {
    assertThat(add("1", "a", NOW)).isTrue();
    assertThat(add("1", "a", NOW.plusSeconds(3599))).isFalse();
    assertThat(add("1", "a", NOW.plusSeconds(3600))).isTrue();
  }

  @Test
  void aRequestThatCouldNotBeWrittenIsNewWhenItIsRepeated() {
    assertThat(add("1", "a", NOW)).isTrue();
    keys.remove(request("1", "a"));
    assertThat(add("1", "a", NOW)).isTrue();
  }

  @Test
  void theOldestKeyGivesWay() {
    for (String key : new String[] {"1", "2", "3", "4"}) {
      assertThat(add(key, "a", NOW)).isTrue();
    }
    assertThat(add("4", "a", NOW)).isFalse();
    assertThat(add("1", "a", NOW)).isTrue();
  }

  @Test
  void theKeysOfANodeAreForgottenFromATimeOnAndThoseOfOthersAreNot() {
    assertThat(add("before", "a", NOW)).isTrue();
    assertThat(add("since", "a", NOW.plusSeconds(1))).isTrue();
    assertThat(add("other", "b", NOW.plusSeconds(1))).isTrue();

    keys.forget(A, NOW.plusSeconds(1));
    keys.forget(new NodeName("unknown"), NOW);

    assertThat(add("before", "a", NOW.plusSeconds(2))).isFalse();
    assertThat(add("other", "b", NOW.plusSeconds(2))).isFalse();
    assertThat(add("since", "a", NOW.plusSeconds(2))).isTrue();
  }
}
