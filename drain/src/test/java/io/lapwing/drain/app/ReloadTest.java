package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.app.Configuration.Invocation;
import io.lapwing.drain.policy.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadTest {

  @TempDir private Path dir;

  @Test
  void aFileThatIsReadAtTheStartAloneHoldsUpNoReload() throws Exception {
    Path faulty = Files.writeString(dir.resolve("faulty"), "tls_config: {ca_file: none.crt}\n");
    Path gone = dir.resolve("gone");
    for (String key : List.of("agent.http.config.file", "prices.file", "web.config.file")) {
      for (Path one : List.of(faulty, gone)) {
        Path file = Files.writeString(dir.resolve("drain.yml"), "mode.drain: act\n");
        List<String> args = List.of("--config.file=" + file);
        Configuration current =
            ((Invocation.Run) Configuration.read(args, Map.of(), ParallelClusterHost.NONE))
                .configuration();
        Files.writeString(file, "mode.drain: dry-run\n" + key + ": " + one + "\n");
        List<DrainSettings> applied = new ArrayList<>();

        assertThat(new Reload(current, args, Map.of()).run(applied::add, limit -> {}))
            .as("%s: %s", key, one)
            .isEmpty();
        assertThat(applied)
            .singleElement()
            .satisfies(
                settings -> {
                  assertThat(settings.get(DrainOptions.MODE_DRAIN)).isEqualTo(Mode.DRY_RUN);
                  assertThat(settings.get(DrainOptions.AGENT_HTTP_CONFIG)).isEmpty();
                });
        assertThat(check(args))
            .as("a start is refused")
            .anyMatch(why -> why.contains(one.toString()) || why.contains("none.crt"));
      }
    }
  }

  private static List<String> check(List<String> args) throws Exception {
    List<String> all = new ArrayList<>(args);
    all.add("--check-config");
    return ((Invocation.Check) Configuration.read(all, Map.of(), ParallelClusterHost.NONE))
        .problems();
  }
}
