package io.lapwing.drain.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArrayTasksTest {

  private static ArrayTasks tasks(String id) {
    return ArrayTasks.parse(id).orElseThrow();
  }

  @Test
  void tasksAreCounted() {
    assertThat(tasks("4711_[3]").count()).isEqualTo(1);
    assertThat(tasks("4711_[1-40:3%2]").count()).isEqualTo(14);
    assertThat(tasks("4711_[1-3,7,10-11%4]").count()).isEqualTo(6);
    assertThat(tasks("4711_[3-1]").count()).isZero();
  }

  @Test
  void aTaskIsFoundByItsArrayAndItsIndex() {
    ArrayTasks some = tasks("4711_[1-7:3,9]");
    assertThat(some.has("4711_4")).isTrue();
    assertThat(some.has("4711_9")).isTrue();
    assertThat(some.has("4711_5")).isFalse();
    assertThat(some.has("4711_10")).isFalse();
    assertThat(some.has("471_4")).isFalse();
    assertThat(some.has("4711")).isFalse();
  }

  @Test
  void otherIdsAreNoTasks() {
    for (String id : new String[] {"4711", "4711_3", "4711_[1-]", "4711_[]", "4711_[1-5...]", ""}) {
      assertThat(ArrayTasks.parse(id)).as(id).isEmpty();
    }
  }
}
