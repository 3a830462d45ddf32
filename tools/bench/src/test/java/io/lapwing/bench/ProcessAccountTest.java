package io.lapwing.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProcessAccountTest {

  private final ProcessAccount own = new ProcessAccount(ProcessHandle.current().pid());

  @Test
  void cpuTimeIncreasesWithWork() throws IOException {
    long before = own.cpuNanos();
    long until = System.nanoTime() + 30_000_000_000L;
    while (own.cpuNanos() == before && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(own.cpuNanos()).isGreaterThan(before);
  }

  @Test
  void anonymousMemoryIsAPartOfResidentMemory() throws IOException {
    ProcessAccount.Memory memory = own.memory();
    assertThat(memory.anonymousKib()).isPositive().isLessThan(memory.rssKib());
  }
}
