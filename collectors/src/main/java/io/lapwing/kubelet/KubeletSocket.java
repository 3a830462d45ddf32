package io.lapwing.kubelet;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/**
 * The kubelet's Unix socket, through Jetty's HTTP/2 client. Calls are rare: each has its own
 * connection and threads, and without a socket none of Jetty's client is loaded. The timeout is
 * that of a whole call.
 */
public record KubeletSocket(Path socket, Duration timeout) implements PodResources {

  /** The kubelet answers in milliseconds, but the first call loads classes. */
  public static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** Initial flow-control window: HTTP/2's default. */
  private static final int WINDOW = 65_535;

  private static final int MAX_HEADERS = 16 * 1024;

  @Override
  public Reading<List<PodResources.Device>> list() {
    try {
      Files.readAttributes(socket, BasicFileAttributes.class);
    } catch (NoSuchFileException notThere) {
      return new Reading.Missing<>(socket.toString());
    } catch (AccessDeniedException denied) {
      // The folder is root's: without permission, absence of a kubelet is unknown.
      return new Reading.Failed<>(socket.toString(), "no_permission");
    } catch (IOException failed) {
      return new Reading.Failed<>(socket.toString(), "io");
    }
    return ask();
  }

  private Reading<List<PodResources.Device>> ask() {
    ExecutorService threads = Executors.newCachedThreadPool(KubeletSocket::thread);
    HTTP2Client client = client(threads);
    try {
      client.start();
      return Reading.of(new KubeletCall(client, socket, timeout).list());
    } catch (KubeletCall.CallFailure failed) {
      return new Reading.Failed<>(socket.toString(), failed.reason());
    } catch (IOException failed) {
      return new Reading.Failed<>(socket.toString(), "io");
    } catch (Exception bug) {
      // Declared by Jetty's start(); not expected.
      return new Reading.Failed<>(socket.toString(), "bug");
    } finally {
      LifeCycle.stop(client);
      threads.shutdownNow();
    }
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "kubelet");
    thread.setDaemon(true);
    return thread;
  }

  private HTTP2Client client(ExecutorService threads) {
    ClientConnector connector = new ClientConnector();
    connector.setSelectors(1);
    connector.setExecutor(threads);
    connector.setScheduler(new ScheduledExecutorScheduler("kubelet-timer", true));
    connector.setByteBufferPool(new ByteBufferPool.NonPooling());
    connector.setConnectTimeout(timeout);
    connector.setIdleTimeout(timeout.plus(timeout));
    HTTP2Client client = new HTTP2Client(connector);
    client.setUseInputDirectByteBuffers(false);
    client.setUseOutputDirectByteBuffers(false);
    client.setInitialSessionRecvWindow(WINDOW);
    client.setInitialStreamRecvWindow(WINDOW);
    client.setMaxResponseHeadersSize(MAX_HEADERS);
    client.setMaxConcurrentPushedStreams(0);
    return client;
  }
}
