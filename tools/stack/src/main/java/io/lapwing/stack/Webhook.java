package io.lapwing.stack;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Receives webhook messages of Alertmanager at any path and keeps them in order of arrival. */
public final class Webhook implements AutoCloseable {

  private final HttpServer server;
  private final List<Notification> notifications = new CopyOnWriteArrayList<>();
  private final Consumer<Notification> receiver;

  private Webhook(HttpServer server, Consumer<Notification> receiver) {
    this.server = server;
    this.receiver = receiver;
  }

  /** Listens on a free loopback port. */
  public static Webhook start() {
    return start(notification -> {});
  }

  /**
   * On a free port of this machine only.
   *
   * @param receiver called with each message, one at a time
   */
  public static Webhook start(Consumer<Notification> receiver) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      Webhook webhook = new Webhook(server, receiver);
      server.createContext("/", webhook::take);
      server.start();
      return webhook;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      Notification notification =
          Notification.read(
              exchange.getRequestURI().getPath(), exchange.getRequestBody(), Instant.now());
      notifications.add(notification);
      receiver.accept(notification);
      exchange.sendResponseHeaders(200, -1);
    }
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  public List<Notification> notifications() {
    return List.copyOf(notifications);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
