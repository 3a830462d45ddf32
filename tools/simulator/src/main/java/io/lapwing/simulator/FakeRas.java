package io.lapwing.simulator;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A simulated NCCL RAS service on a port of this host. With several jobs, connections get them in
 * turn, as the kernel distributes connections to a shared port.
 */
public final class FakeRas implements AutoCloseable {

  private final ServerSocket listening;
  private final Thread accepting = daemon(this::accept);
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger replies = new AtomicInteger();
  private volatile List<RasJob> jobs;
  private volatile RasManner manner = RasManner.JSON;

  private FakeRas(ServerSocket listening, List<RasJob> jobs) {
    this.listening = listening;
    this.jobs = jobs;
  }

  /**
   * Listens on the loopback address until it is closed.
   *
   * @param port 0 for any free port
   */
  public static FakeRas start(int port, RasJob... jobs) throws IOException {
    ServerSocket listening = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    FakeRas ras = new FakeRas(listening, List.of(jobs));
    ras.accepting.start();
    return ras;
  }

  public int port() {
    return listening.getLocalPort();
  }

  public void manner(RasManner other) {
    manner = other;
  }

  public void jobs(RasJob... others) {
    jobs = List.of(others);
  }

  /** Number of connections. */
  public int connections() {
    return connections.get();
  }

  /** Number of status requests. */
  public int replies() {
    return replies.get();
  }

  private static Thread daemon(Runnable what) {
    Thread thread = new Thread(what, "fake-ras");
    thread.setDaemon(true);
    return thread;
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listening.accept();
        open.add(socket);
        RasJob job = jobs.get(connections.getAndIncrement() % jobs.size());
        daemon(() -> serve(socket, job)).start();
      }
    } catch (IOException closed) {
      // Closed by close().
    }
  }

  private void serve(Socket socket, RasJob job) {
    try (socket;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        Writer out =
            new BufferedWriter(
                new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.US_ASCII))) {
      boolean json = false;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String command = line.toLowerCase(Locale.ROOT);
        if (manner == RasManner.SILENT) {
          continue;
        }
        if (command.equals("status") || command.equals("verbose status")) {
          replies.incrementAndGet();
          if (manner == RasManner.HANGS) {
            continue;
          }
          reply(job, json, out);
          out.flush();
          return;
        }
        json |= manner != RasManner.TEXT_ONLY && command.equals("set format json");
        out.write(answer(line, command) + "\n");
        out.flush();
      }
    } catch (IOException gone) {
      // The client disconnected.
    } finally {
      open.remove(socket);
    }
  }

  private String answer(String line, String command) {
    if (manner == RasManner.STRANGER) {
      return "HTTP/1.1 400 Bad Request";
    }
    if (command.startsWith("client protocol ")) {
      return "SERVER PROTOCOL 2";
    }
    if (command.startsWith("timeout ")) {
      String seconds = line.substring("timeout ".length());
      return seconds.matches("\\d{1,9}") ? "OK" : "ERROR: Invalid timeout value " + seconds;
    }
    if (manner != RasManner.TEXT_ONLY && command.startsWith("set format ")) {
      String format = line.substring("set format ".length());
      return format.equalsIgnoreCase("json") || format.equalsIgnoreCase("text")
          ? "OK"
          : "ERROR: Invalid format " + format;
    }
    return "ERROR: Unknown command " + line;
  }

  private void reply(RasJob job, boolean json, Writer out) throws IOException {
    switch (manner) {
      case GARBAGE -> out.write("<html>\u0007{{{{[[[[\"\n");
      case CUT_OFF -> out.write(job.json(), 0, job.json().length() / 2);
      case ENDLESS -> endless(out);
      default -> {
        if (json) {
          job.write(out);
        } else {
          out.write(job.text());
        }
      }
    }
  }

  private static void endless(Writer out) throws IOException {
    out.write("{\"communicators\": [");
    while (true) {
      out.write("{\"hash\": \"0x1\", \"ranks\": [], \"missing_ranks\": []},\n");
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    try {
      accepting.join(); // until then the kernel goes on listening for it
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    for (Socket socket : open) {
      socket.close();
    }
  }
}
