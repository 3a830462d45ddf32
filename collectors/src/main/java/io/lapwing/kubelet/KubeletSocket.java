package io.lapwing.kubelet;

import io.lapwing.collect.Reading;
import io.lapwing.jobs.PodDevice;
import io.lapwing.jobs.PodResources;
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
 * The kubelet's socket, asked with Jetty's client of HTTP/2. Each question has a connection, and
 * threads, of its own: they are few, and nothing waits in between. Where there is no socket, none
 * of Jetty's client is loaded.
 */
public final class KubeletSocket implements PodResources {

  /** The kubelet answers in milliseconds; the first question loads classes. */
  public static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** What may come without being asked for: HTTP/2's own least. */
  private static final int WINDOW = 65_535;

  private static final int MOST_HEADERS = 16 * 1024;

  private final Path socket;
  private final Duration timeout;

  /**
   * A socket.
   *
   * @param timeout for a whole question with its answer
   */
  public KubeletSocket(Path socket, Duration timeout) {
    this.socket = socket;
    this.timeout = timeout;
  }

  @Override
  public Reading<List<PodDevice>> list() {
    try {
      Files.readAttributes(socket, BasicFileAttributes.class);
    } catch (NoSuchFileException notThere) {
      return new Reading.Missing<>(socket.toString());
    } catch (AccessDeniedException denied) {
      // Its folder is root's. Who may not look does not know that there is no kubelet.
      return new Reading.Failed<>(socket.toString(), "no_permission");
    } catch (IOException failed) {
      return new Reading.Failed<>(socket.toString(), "io");
    }
    return ask();
  }

  private Reading<List<PodDevice>> ask() {
    ExecutorService threads = Executors.newCachedThreadPool(KubeletSocket::thread);
    HTTP2Client client = client(threads);
    try {
      client.start();
      return Reading.of(new KubeletCall(client, socket, timeout).list());
    } catch (CallFailure failed) {
      return new Reading.Failed<>(socket.toString(), failed.reason());
    } catch (IOException failed) {
      return new Reading.Failed<>(socket.toString(), "io");
    } catch (Exception bug) {
      // What Jetty declares to throw where it starts; none is expected.
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
    client.setMaxResponseHeadersSize(MOST_HEADERS);
    client.setMaxConcurrentPushedStreams(0);
    return client;
  }
}
