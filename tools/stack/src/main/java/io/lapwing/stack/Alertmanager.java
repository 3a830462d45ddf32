package io.lapwing.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A real Alertmanager without peers, in a separate folder; {@link #close} stops it. */
public final class Alertmanager implements AutoCloseable {

  private final ServerProcess process;
  private final HttpJson http;

  private Alertmanager(ServerProcess process, HttpJson http) {
    this.process = process;
    this.http = http;
  }

  /** The program by Debian's name or its own; tests are skipped without it. */
  public static Optional<Path> program() {
    return Programs.find("prometheus-alertmanager", "alertmanager");
  }

  /** On a free port. */
  public static Alertmanager start(Path folder, Path config) {
    return start(folder, config, "127.0.0.1:0");
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @param listen {@code HOST:PORT}; port 0 for a free one
   * @throws ServerException if the program is missing, or with its log if it does not become ready
   */
  public static Alertmanager start(Path folder, Path config, String listen) {
    Path program =
        program().orElseThrow(() -> new ServerException("this machine has no alertmanager"));
    ServerProcess process =
        ServerProcess.start(
            "alertmanager",
            folder,
            List.of(
                program.toString(),
                "--config.file=" + config.toAbsolutePath(),
                "--storage.path=" + folder.resolve("alertmanager-data"),
                "--web.listen-address=" + listen,
                // Disables clustering, whose port may be in use.
                "--cluster.listen-address="));
    return new Alertmanager(process, process.awaitReady(Listening.awaited(process), "/-/ready"));
  }

  public URI url() {
    return http.address();
  }

  public long pid() {
    return process.pid();
  }

  /** Its whole log. */
  public String log() {
    return process.log();
  }

  /** Active alerts, including inhibited ones, whose state is suppressed. */
  public List<Alert> alerts() {
    List<Alert> alerts = new ArrayList<>();
    for (JsonNode alert : http.get("/api/v2/alerts")) {
      alerts.add(
          Alert.read(
              alert, alert.path("status").path("state").asText(), alert.path("startsAt").asText()));
    }
    return alerts;
  }

  @Override
  public void close() {
    process.close();
  }
}
