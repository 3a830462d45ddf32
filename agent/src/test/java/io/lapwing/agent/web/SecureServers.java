package io.lapwing.agent.web;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.web.WebServer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Servers with a web configuration file, closed together. */
final class SecureServers implements AutoCloseable {
  private final List<WebServer> running = new ArrayList<>();
  final CountedRequests counted = new CountedRequests();

  WebServer start(Path webConfig) throws Exception {
    return start(webConfig, Optional.empty());
  }

  WebServer start(Path webConfig, Optional<Path> unixSocket) throws Exception {
    WebServer server =
        AgentServer.start(
            new Settings.Web(
                List.of(new ListenAddress("127.0.0.1", 0)),
                "/metrics",
                40,
                true,
                Optional.of(webConfig),
                false,
                unixSocket,
                Settings.Guard.OPEN),
            new WebContent(
                new FixedExposition("ecc", "xid"),
                () -> new WebContent.AgentInfo("1.2.3", "node-7", false),
                WebContent.Readiness.Ready::new,
                () -> "node",
                MadeReports::healthy,
                List::of,
                () -> MadeLive.EMPTY,
                InstantSource.system()),
            counted);
    running.add(server);
    return server;
  }

  @Override
  public void close() {
    running.forEach(WebServer::close);
  }
}
