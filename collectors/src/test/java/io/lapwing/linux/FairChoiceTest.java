package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.linux.FairChoice.Candidate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairChoiceTest {

  private static List<Candidate> files(long user, int count, long firstInode) {
    List<Candidate> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(new Candidate(user + "-" + i, user, firstInode + i));
    }
    Collections.reverse(files);
    return files;
  }

  @Test
  void ofEachUserTheOldestFirstAndUsersTakeTurns() {
    List<Candidate> files = files(7, 4000, 100);
    files.addAll(files(8, 2, 9000));
    FairChoice.Choice choice = new FairChoice(6, 4).of(files);
    assertThat(choice.names()).containsExactly("7-0", "8-0", "7-1", "8-1", "7-2", "7-3");
    assertThat(choice.left()).isEqualTo(3996);
  }

  @Test
  void moreUsersThanPlaces() {
    List<Candidate> files = new ArrayList<>();
    for (int user = 0; user < 10; user++) {
      files.addAll(files(user, 3, 1));
    }
    FairChoice.Choice choice = new FairChoice(4, 2).of(files);
    assertThat(choice.names()).containsExactly("0-0", "1-0", "2-0", "3-0");
    assertThat(choice.left()).isEqualTo(26);
  }

  @Test
  void nothingIsLeftOfFewFiles() {
    assertThat(new FairChoice(10, 5).of(files(7, 5, 1)).left()).isZero();
    assertThat(new FairChoice(10, 5).of(List.of()).names()).isEmpty();
  }
}
