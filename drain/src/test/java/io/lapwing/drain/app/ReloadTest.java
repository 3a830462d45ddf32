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
    Path agents = Files.writeString(dir.resolve("agents.yml"), "tls_config: {ca_file: none.crt}\n");
    Path file = Files.writeString(dir.resolve("drain.yml"), "mode.drain: act\n");
    List<String> args = List.of("--config.file=" + file);
    Configuration current =
        ((Invocation.Run) Configuration.read(args, Map.of(), ParallelClusterHost.NONE))
            .configuration();
    Files.writeString(file, "mode.drain: dry-run\nagent.http.config.file: " + agents + "\n");
    List<DrainSettings> applied = new ArrayList<>();

    assertThat(new Reload(current, args, Map.of()).run(applied::add, limit -> {})).isEmpty();
    assertThat(applied)
        .singleElement()
        .satisfies(
            settings -> {
              assertThat(settings.get(DrainOptions.MODE_DRAIN)).isEqualTo(Mode.DRY_RUN);
              assertThat(settings.get(DrainOptions.AGENT_HTTP_CONFIG)).isEmpty();
            });
  }
}
