package io.lapwing.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Memory;
import org.junit.jupiter.api.Test;

class RoomTest {

  private final Room room = new Room();

  @Test
  void theSameMemoryIsUsedAgainAndZeroed() {
    Memory first = room.of(24);
    first.setLong(16, -1);
    Memory second = room.of(4096);
    assertThat(second).isSameAs(first);
    assertThat(second.getLong(16)).isZero();
  }

  @Test
  void aLongListHasMemoryOfItsOwnAsLongAsItIs() {
    Memory usual = room.of(24);
    Memory longer = room.of(1 << 20);
    assertThat(longer).isNotSameAs(usual);
    assertThat(longer.size()).isEqualTo(1 << 20);
    assertThat(longer.getLong((1 << 20) - 8)).isZero();
    assertThat(room.of(24)).isSameAs(usual);
  }
}
