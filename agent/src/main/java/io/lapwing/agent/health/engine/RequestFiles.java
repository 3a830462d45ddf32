package io.lapwing.agent.health.engine;

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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Requests of operators: files of a few lines in a folder of the state directory, which takes write
 * permission there.
 */
final class RequestFiles {

  private static final Log LOG = Log.of(RequestFiles.class);
  private static final String SUFFIX = ".request";
  private static final int MAX_BYTES = 4_096;

  private final Path folder;

  RequestFiles(Path folder) {
    this.folder = folder;
  }

  void write(String... lines) throws IOException {
    Files.createDirectories(folder);
    String name = String.format(Locale.ROOT, "%020d-%s", nanos(), UUID.randomUUID());
    Path written = folder.resolve(name + ".new");
    Files.writeString(
        written, Stream.of(lines).map(RequestFiles::line).collect(Collectors.joining()));
    Files.move(written, folder.resolve(name + SUFFIX), StandardCopyOption.ATOMIC_MOVE);
  }

  /** The order of requests: the end of something must not come before its start. */
  private static long nanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000 + now.getNano();
  }

  private static String line(String text) {
    return text.replaceAll("\\R", " ") + "\n";
  }

  /** Removes and returns the requests on disk, each as its lines. */
  List<Request> read() {
    List<Request> requests = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      List<Path> inOrder = new ArrayList<>();
      files.forEach(inOrder::add);
      Collections.sort(inOrder);
      inOrder.forEach(file -> read(file, requests));
    } catch (NoSuchFileException | NotDirectoryException noRequest) {
      return List.of();
    } catch (IOException unreadable) {
      LOG.warn(
          "requests cannot be read",
          "folder",
          folder,
          "why",
          String.valueOf(unreadable.getMessage()));
    }
    return requests;
  }

  /** Deleted first: a request that cannot be deleted would be carried out again and again. */
  private static void read(Path file, List<Request> requests) {
    try {
      List<String> lines = lines(file);
      Files.delete(file);
      requests.add(new Request(file, lines));
    } catch (IOException unreadable) {
      LOG.warn(
          "a request cannot be read", "file", file, "why", String.valueOf(unreadable.getMessage()));
    }
  }

  private static List<String> lines(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8).lines().toList();
    }
  }

  record Request(Path file, List<String> lines) {

    /** Empty where the line is missing. */
    String line(int number) {
      return number < lines.size() ? lines.get(number) : "";
    }
  }
}
