package io.lapwing.kubelet;

import io.lapwing.kubelet.PodResources.Device;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.frames.GoAwayFrame;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.Transport;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.jspecify.annotations.Nullable;

/** A connection to the kubelet by Jetty's HTTP/2 client, with threads of its own. */
final class KubeletConnection implements Closeable {

  /** Longer than the time between two calls; then the connection closes by itself. */
  private static final Duration IDLE = Duration.ofMinutes(10);

  /** Initial flow-control window: HTTP/2's default. */
  private static final int WINDOW = 65_535;

  private static final int MAX_HEADERS = 16 * 1024;

  private final Path socket;
  private final Duration timeout;
  private final ExecutorService threads = Executors.newCachedThreadPool(KubeletConnection::thread);
  private final HTTP2Client client;
  private @Nullable Session session;
  private volatile @Nullable ReplyBody reply;

  KubeletConnection(Path socket, Duration timeout) {
    this.socket = socket;
    this.timeout = timeout;
    this.client = client(threads, timeout);
  }

  boolean isOpen() {
    return session != null && !session.isClosed();
  }

  /** Connects first, unless it is connected. */
  List<Device> list() throws IOException {
    KubeletCall call = new KubeletCall(timeout);
    ReplyBody next = call.reply();
    reply = next;
    try {
      Session to = session;
      if (to == null) {
        client.start();
        Transport transport = new Transport.TCPUnix(socket);
        to = call.await(client.connect(transport, null, transport.getSocketAddress(), new Watch()));
        session = to;
      }
      return call.list(to, next);
    } catch (IOException failed) {
      throw failed;
    } catch (Exception bug) {
      // Declared by Jetty's start(); not expected.
      throw new CallFailure("bug");
    }
  }

  @Override
  public void close() {
    LifeCycle.stop(client);
    threads.shutdownNow();
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "kubelet");
    thread.setDaemon(true);
    return thread;
  }

  private static HTTP2Client client(ExecutorService threads, Duration timeout) {
    ClientConnector connector = new ClientConnector();
    connector.setSelectors(1);
    connector.setExecutor(threads);
    connector.setScheduler(new ScheduledExecutorScheduler("kubelet-timer", true));
    connector.setByteBufferPool(new ByteBufferPool.NonPooling());
    connector.setConnectTimeout(timeout);
    connector.setIdleTimeout(IDLE);
    HTTP2Client client = new HTTP2Client(connector);
    client.setUseInputDirectByteBuffers(false);
    client.setUseOutputDirectByteBuffers(false);
    client.setInitialSessionRecvWindow(WINDOW);
    client.setInitialStreamRecvWindow(WINDOW);
    client.setMaxResponseHeadersSize(MAX_HEADERS);
    client.setMaxConcurrentPushedStreams(0);
    return client;
  }

  /** Fails the reply that is expected when the connection closes. */
  private final class Watch implements Session.Listener {

    @Override
    public Map<Integer, Integer> onPreface(Session opened) {
      return Map.of();
    }

    @Override
    public void onClose(Session closed, GoAwayFrame frame, Callback callback) {
      fail(null);
      callback.succeeded();
    }

    @Override
    public void onFailure(Session failed, Throwable failure, Callback callback) {
      fail(failure);
      callback.succeeded();
    }

    private void fail(@Nullable Throwable why) {
      ReplyBody expected = reply;
      if (expected != null) {
        expected.fail(why);
      }
    }
  }
}
