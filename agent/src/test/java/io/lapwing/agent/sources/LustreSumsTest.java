package io.lapwing.agent.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.collect.CollectorRun;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SysFs;
import io.lapwing.lustre.LustreDetail;
import io.lapwing.lustre.LustreMetrics;
import io.lapwing.lustre.LustreRoots;
import io.lapwing.lustre.LustreSource;
import io.lapwing.metric.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

/** A file system's sums appear after the targets that they are computed from. */
class LustreSumsTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final int TARGETS = 12;
  private static final Duration HOUR = Duration.ofHours(1);

  private Path node;

  @BeforeEach
  void client(@TempDir Path dir) throws IOException {
    node = dir;
    for (int ost = 0; ost < TARGETS; ost++) {
      Path target =
          dir.resolve("proc/fs/lustre/osc/fs-OST%04x-osc-ffff9d0c12345000".formatted(ost));
      Files.createDirectories(target);
      Files.writeString(
          target.resolve("stats"),
          "snapshot_time 1.0 secs.nsecs\nost_read 1 samples [usecs] 1000000 1000000 1000000\n");
    }
    Files.createDirectories(dir.resolve("proc/fs/lustre/llite/fs-ffff9d0c12345000"));
  }

  @RepeatedTest(10)
  void theFirstPageHasThemWhole() {
    SnapshotBoard board = new SnapshotBoard();
    try (Poller poller =
        new Poller(board, new Cadences(HOUR, HOUR, HOUR, HOUR), PollClock.SYSTEM)) {
      LustreRoots roots =
          new LustreRoots(new SysFs(node.resolve("sys")), new ProcFs(node.resolve("proc")));
      poller.add(new LustreSource(roots, poller, LustreDetail.SUMMARY));
      poller.start();
      await().atMost(PATIENCE).until(poller::settled);

      assertThat(requests(board)).isEqualTo(TARGETS);
    }
  }

  private static double requests(SnapshotBoard board) {
    for (CollectorRun run : board.snapshot("lustre-sums-fs").orElseThrow().runs()) {
      if (run instanceof CollectorRun.Collected collected) {
        Samples samples = collected.samples();
        int at =
            IntStream.range(0, samples.size())
                .filter(i -> samples.series().get(i).metric().equals(LustreMetrics.RPC_OPERATIONS))
                .findFirst()
                .orElse(-1);
        if (at >= 0) {
          return samples.value(at);
        }
      }
    }
    throw new AssertionError("no sum");
  }
}
