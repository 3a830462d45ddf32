package io.lapwing.bench.soak;

import io.lapwing.bench.Server;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An operator on the node: runs {@code check} and {@code clear}. */
record Operator(SoakOptions options, Server server, File log) {

  void check() throws IOException, InterruptedException {
    run(options.command("check", List.of("--brief", "--url=http://127.0.0.1:" + server.port())));
  }

  void clear() throws IOException, InterruptedException {
    run(options.command("clear", List.of("--all", "--note=soak")));
  }

  /** Output and exit code are verdicts on the node and do not matter here. */
  private void run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("does not end: " + String.join(" ", command));
    }
  }
}
