package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.log.Log;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Requests to clear findings: a file of three lines (rule, subject, note) in the state directory,
 * which takes write permission there. Read by one thread and taken by another, so that no
 * evaluation waits for a disk.
 */
public final class ClearRequests {

  private static final Log LOG = Log.of(ClearRequests.class);
  private static final String FOLDER = "clear";
  private static final String SUFFIX = ".request";
  private static final int MAX_BYTES = 4_096;

  private final Path folder;
  private final InstantSource clock;
  private volatile Runnable onFetch = () -> {};
  private final Queue<Event.OperatorCleared> fetched = new ConcurrentLinkedQueue<>();

  public ClearRequests(Path state, InstantSource clock) {
    this.folder = state.resolve(FOLDER);
    this.clock = clock;
  }

  /** Asks the agent to clear findings; empty texts mean all. */
  public void ask(String rule, String subject, String note) throws IOException {
    Files.createDirectories(folder);
    String name = UUID.randomUUID().toString();
    Path written = folder.resolve(name + ".new");
    Files.writeString(written, line(rule) + line(subject) + line(note));
    Files.move(written, folder.resolve(name + SUFFIX), StandardCopyOption.ATOMIC_MOVE);
  }

  private static String line(String text) {
    return text.replaceAll("\\R", " ") + "\n";
  }

  /** Sets what runs after a request was fetched. */
  void onFetch(Runnable listener) {
    onFetch = listener;
  }

  /** Reads the new requests; waits for the disk. */
  void fetch() {
    List<Event.OperatorCleared> fresh = read();
    if (!fresh.isEmpty()) {
      fetched.addAll(fresh);
      onFetch.run();
    }
  }

  /** Removes and returns the fetched requests; never waits. */
  List<Event.OperatorCleared> take() {
    List<Event.OperatorCleared> taken = new ArrayList<>();
    for (Event.OperatorCleared one = fetched.poll(); one != null; one = fetched.poll()) {
      taken.add(one);
    }
    return taken;
  }

  /** Removes and returns the requests on disk. */
  public List<Event.OperatorCleared> read() {
    List<Event.OperatorCleared> asked = new ArrayList<>();
    try (DirectoryStream<Path> requests = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path request : requests) {
        read(request, asked);
      }
    } catch (NoSuchFileException | NotDirectoryException noRequest) {
      return List.of();
    } catch (IOException unreadable) {
      LOG.warn(
          "requests to clear cannot be read",
          "folder",
          folder,
          "why",
          String.valueOf(unreadable.getMessage()));
    }
    return asked;
  }

  /** Deleted first: a request that cannot be deleted would be carried out again and again. */
  private void read(Path request, List<Event.OperatorCleared> asked) {
    try {
      List<String> lines = lines(request);
      Files.delete(request);
      if (lines.size() >= 2) {
        String note = lines.size() > 2 ? lines.get(2) : "";
        asked.add(new Event.OperatorCleared(clock.instant(), lines.get(0), lines.get(1), note));
      } else {
        LOG.warn("a request to clear is malformed", "file", request);
      }
    } catch (IOException unreadable) {
      LOG.warn(
          "a request to clear cannot be read",
          "file",
          request,
          "why",
          String.valueOf(unreadable.getMessage()));
    }
  }

  private static List<String> lines(Path request) throws IOException {
    try (InputStream in = Files.newInputStream(request)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
