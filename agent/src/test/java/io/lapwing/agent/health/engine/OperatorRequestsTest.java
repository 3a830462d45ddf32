package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorRequestsTest {

  private static final Instant UNTIL = Instant.parse("2026-03-01T05:00:00Z");

  private static final List<OperatorRequest> ALL =
      List.of(
          new OperatorRequest.StartMaintenance(UNTIL, "swap PSU"),
          new OperatorRequest.EndMaintenance(),
          new OperatorRequest.ReleaseGpus(UNTIL),
          new OperatorRequest.ReopenGpus(),
          new OperatorRequest.StartTest(UNTIL, "xid_79", "gpu:3", "failing"),
          new OperatorRequest.StartTest(UNTIL, "gpu_count", "", ""),
          new OperatorRequest.EndTests());

  @Test
  void everyRequestIsReadAsItWasWrittenAndOnce(@TempDir Path state) throws Exception {
    for (OperatorRequest request : ALL) {
      OperatorRequests requests = new OperatorRequests(state);
      requests.ask(request);

      assertThat(requests.read()).containsExactly(request);
      assertThat(requests.read()).isEmpty();
    }
  }

  @Test
  void aRequestOfRootBelongsToTheAgentsUser(@TempDir Path state) throws Exception {
    UserPrincipal nobody =
        state.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
    assumeTrue(Files.getOwner(state).getName().equals("root"), "only root can give files away");
    Files.setOwner(state, nobody);

    new OperatorRequests(state).ask(new OperatorRequest.EndTests());

    Path folder = state.resolve("operator");
    assertThat(Files.getOwner(folder)).isEqualTo(nobody);
    try (var files = Files.list(folder)) {
      assertThat(Files.getOwner(files.findFirst().orElseThrow())).isEqualTo(nobody);
    }
  }

  @Test
  void aFifoIsRemovedAndStopsNoRequest(@TempDir Path state) throws Exception {
    Path folder = Files.createDirectories(state.resolve("operator"));
    String fifo = folder.resolve("00-a.request").toString();
    assumeTrue(new ProcessBuilder("mkfifo", fifo).start().waitFor() == 0, "no mkfifo");
    OperatorRequests requests = new OperatorRequests(state);
    requests.ask(new OperatorRequest.EndTests());

    assertThat(requests.read()).containsExactly(new OperatorRequest.EndTests());
    assertThat(Path.of(fifo)).doesNotExist();
  }

  @Test
  void aNoteStaysOneLine(@TempDir Path state) throws Exception {
    OperatorRequests requests = new OperatorRequests(state);
    requests.ask(new OperatorRequest.StartMaintenance(UNTIL, "swap\nmaintenance-end"));

    assertThat(requests.read())
        .containsExactly(new OperatorRequest.StartMaintenance(UNTIL, "swap maintenance-end"));
  }

  @Test
  void garbageIsDeletedAndAsksForNothing(@TempDir Path state) throws Exception {
    Path folder = Files.createDirectories(state.resolve("operator"));
    Files.write(folder.resolve("a.request"), new byte[] {(byte) 0xff, 0, 7});
    Files.write(folder.resolve("b.request"), new byte[1 << 20]);
    Files.writeString(folder.resolve("c.request"), "maintenance\ntomorrow\n");
    Files.writeString(folder.resolve("d.request"), "release\n");
    Files.writeString(folder.resolve("e.request"), "");

    assertThat(new OperatorRequests(state).read()).isEmpty();
    try (var left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aRequestIsQueuedOnceItIsFetchedAndTakenOnce(@TempDir Path state) throws Exception {
    OperatorRequests requests = new OperatorRequests(state);
    AtomicInteger woken = new AtomicInteger();
    requests.onFetch(woken::incrementAndGet);
    requests.fetch();
    assertThat(woken).hasValue(0);
    requests.ask(new OperatorRequest.EndMaintenance());

    requests.fetch();

    assertThat(woken).hasValue(1);
    assertThat(requests.take()).containsExactly(new OperatorRequest.EndMaintenance());
    assertThat(requests.take()).isEmpty();
  }
}
