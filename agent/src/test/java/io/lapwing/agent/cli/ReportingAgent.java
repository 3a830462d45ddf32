package io.lapwing.agent.cli;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.web.HealthJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.Supplier;

/** Answers each request with a report, as an agent whose time is {@link MadeReports#JUDGED}. */
final class ReportingAgent implements AutoCloseable {

  private final ServerSocket socket;
  private final Supplier<HealthReport> reports;

  ReportingAgent(Supplier<HealthReport> reports) throws IOException {
    this.socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    this.reports = reports;
    Thread thread = new Thread(this::serve, "agent");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return socket.getLocalPort();
  }

  private void serve() {
    String date =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(MadeReports.JUDGED.atOffset(ZoneOffset.UTC));
    try {
      while (!socket.isClosed()) {
        try (Socket client = socket.accept()) {
          InputStream request = client.getInputStream();
          while (request.read() != '\n') {
            // Only the first line matters to a client that waits.
          }
          byte[] body = HealthJson.write(reports.get());
          String head =
              "HTTP/1.1 200 OK\r\nDate: %s\r\nContent-Length: %d\r\n\r\n"
                  .formatted(date, body.length);
          client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
          client.getOutputStream().write(body);
        }
      }
    } catch (IOException closed) {
      if (!socket.isClosed()) {
        throw new UncheckedIOException(closed);
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
