package io.lapwing.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.training.RankBudget.Place;
import io.lapwing.training.RankWriter.Standing;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Whose ranks are read if there are too many. */
class RankBudgetTest {

  private final Map<String, Place> read = new LinkedHashMap<>();
  private final RankBudget budget = new RankBudget(8);

  private static Place place(String name, Standing standing, String account, String pod) {
    return new Place(
        name,
        new RankWriter(
            standing,
            name,
            1000,
            Optional.of(pod).filter(uid -> !uid.isEmpty()),
            OptionalLong.empty(),
            OptionalLong.empty()),
        account);
  }

  private boolean add(String name, Standing standing, String account) {
    return add(place(name, standing, account, ""));
  }

  private boolean add(Place place) {
    RankBudget.Admission admission = budget.admit(place, read.values());
    admission.displaced().ifPresent(read::remove);
    if (admission.granted()) {
      read.put(place.name(), place);
    }
    return admission.granted();
  }

  private long count(Standing standing) {
    return read.values().stream().filter(one -> one.writer().standing() == standing).count();
  }

  @Test
  void unverifiedRanksOfManyAccountsHaveTheRoomOfOne() {
    for (int i = 0; i < 100; i++) {
      add("u" + i, Standing.UNVERIFIED, "user" + i);
    }
    assertThat(read.keySet()).hasSize(RankBudget.MAX_RANKS_OF_USER).contains("u0", "u15");
    for (int i = 0; i < 48; i++) {
      assertThat(add("p" + i, Standing.PROCESS, "owner" + i / 16)).isTrue();
    }
    assertThat(read).hasSize(RankBudget.MAX_RANKS);
    assertThat(count(Standing.UNVERIFIED)).isEqualTo(RankBudget.MAX_RANKS_OF_USER);
  }

  @Test
  void theRanksOfAJobTakeThePlacesOfAllOthersAndKeepThem() {
    for (int i = 0; i < 100; i++) {
      add("u" + i, Standing.UNVERIFIED, "user" + i);
      add("p" + i, Standing.PROCESS, "user" + i);
    }
    for (int i = 0; i < RankBudget.MAX_RANKS; i++) {
      assertThat(add("j" + i, Standing.JOB, "owner" + i / 16)).isTrue();
    }
    assertThat(count(Standing.JOB)).isEqualTo(RankBudget.MAX_RANKS);
    assertThat(add("later", Standing.PROCESS, "user")).isFalse();
    assertThat(add("job", Standing.JOB, "another")).as("the first keeps its place").isFalse();
  }

  @Test
  void theUidsOfOneAccountHaveOneBudgetAndPodsTheirOwn() {
    for (int i = 0; i < 40; i++) {
      add("p" + i, Standing.PROCESS, "ada");
    }
    assertThat(read).hasSize(RankBudget.MAX_RANKS_OF_USER);
    assertThat(add("other", Standing.PROCESS, "eve")).isTrue();
    assertThat(add(place("pod", Standing.PROCESS, "ada", "0f1e"))).isTrue();
  }
}
