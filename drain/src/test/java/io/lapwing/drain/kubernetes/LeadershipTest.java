package io.lapwing.drain.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeadershipTest {

  @Test
  @SuppressWarnings("try") // the first is closed while the second waits
  void oneOfTwoLeadsAndTheOtherFollowsWhenItLeaves() {
    List<String> lost = new ArrayList<>();
    try (ApiServer api = ApiServer.ofObjects();
        Leadership first =
            new Leadership(api.client, "lapwing", "drain", "a", () -> lost.add("a"))) {
      await().until(first::leads);
      try (Leadership second =
          new Leadership(api.client, "lapwing", "drain", "b", () -> lost.add("b"))) {
        await().until(() -> holder(api).equals("a"));
        assertThat(second.leads()).isFalse();
        await()
            .untilAsserted(
                () ->
                    assertThat(second.notLeading())
                        .contains("not the leader: a holds the Lease lapwing/drain"));
        assertThat(first.notLeading()).isEmpty();
        first.close();
        await().until(second::leads);
        assertThat(lost).containsExactly("a");
        assertThat(first.leads()).isFalse();
      }
    }
  }

  private static String holder(ApiServer api) {
    return api.client
        .leases()
        .inNamespace("lapwing")
        .withName("drain")
        .get()
        .getSpec()
        .getHolderIdentity();
  }
}
