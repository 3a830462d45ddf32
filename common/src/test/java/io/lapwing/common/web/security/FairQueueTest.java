package io.lapwing.common.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FairQueueTest {
  private final FairQueue<String> queue = new FairQueue<>(4, 2);

  @Test
  void clientsTakeTurns() {
    offer("a1", "a");
    offer("a2", "a");
    offer("b1", "b");
    offer("c1", "c");

    assertThat(rest()).containsExactly("a1", "b1", "c1", "a2");
  }

  @Test
  void oneClientHasAPartOfTheQueue() {
    offer("a1", "a");
    offer("a2", "a");

    assertThat(offer("a3", "a")).contains("a3");
    assertThat(rest()).containsExactly("a1", "a2");
  }

  @Test
  void aNewcomerTakesTheNewestPlaceOfTheClientWithMost() {
    offer("a1", "a");
    offer("a2", "a");
    offer("b1", "b");
    offer("b2", "b");

    assertThat(offer("c1", "c")).contains("b2");
    assertThat(offer("d1", "d")).contains("a2");
    assertThat(offer("e1", "e")).as("each has one").contains("e1");
    assertThat(rest()).containsExactly("a1", "b1", "c1", "d1");
  }

  @Test
  void whatWasTurnedAwayIsOlderThanWhatCameSince() {
    offer("a1", "a");
    offer("a2", "a");
    assertThat(offer("again", "a")).contains("again");
    queue.poll();
    assertThat(offer("a3", "a")).isEmpty();

    assertThat(offer("again", "a")).contains("a3");
    assertThat(rest()).containsExactly("again", "a2");
  }

  @Test
  void whatIsOfferedAgainTakesAPlaceOfWhatIsNew() {
    for (String client : List.of("a", "b", "c", "d")) {
      offer(client + 1, client);
    }
    assertThat(offer("again", "e")).contains("again");

    assertThat(offer("again", "e")).contains("d1");
    assertThat(offer("f1", "f")).contains("f1");
  }

  @Test
  void ageCountsBetweenClientsToo() {
    for (String client : List.of("a", "b", "c", "d")) {
      offer(client + 1, client);
    }
    assertThat(offer("again", "e")).contains("again");
    assertThat(offer("later", "e")).contains("later");
    rest();
    for (String client : List.of("f", "g", "h", "i")) {
      offer(client + 1, client);
    }

    assertThat(offer("again", "e")).contains("i1");
    assertThat(rest()).contains("again");
  }

  @Test
  void theSameItemOfAnotherClientIsNew() {
    offer("a1", "a");
    offer("a2", "a");
    offer("again", "a");
    offer("b1", "b");
    offer("b2", "b");

    assertThat(offer("again", "b")).contains("again");
  }

  /** As in the comment of the class: 15,000 others leave 63 % of the rejected items. */
  @Test
  void mostIsFoundAgainAfterAFlood() {
    Random fingerprints = new Random(1);
    queue.offer("x", "a", fingerprints.nextLong());
    queue.offer("y", "a", fingerprints.nextLong());
    List<Long> first = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      first.add(fingerprints.nextLong());
      assertThat(queue.offer("early", "a", first.get(i))).contains("early");
    }
    for (int i = 0; i < 15_000; i++) {
      queue.offer("flood", "a", fingerprints.nextLong());
    }
    rest();

    int found = 0;
    for (long fingerprint : first) {
      queue.offer("new", "a", fingerprints.nextLong());
      queue.offer("new", "a", fingerprints.nextLong());
      found += queue.offer("again", "a", fingerprint).equals(Optional.of("new")) ? 1 : 0;
      rest();
    }
    assertThat(found).isBetween(560, 700);
  }

  private Optional<String> offer(String item, String client) {
    return queue.offer(item, client, (item + client).hashCode() * 0x9E3779B97F4A7C15L);
  }

  private List<String> rest() {
    List<String> items = new ArrayList<>();
    for (Optional<String> item = queue.poll(); item.isPresent(); item = queue.poll()) {
      items.add(item.get());
    }
    return items;
  }
}
