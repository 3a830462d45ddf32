package io.lapwing.agent.health.engine;

import io.lapwing.collect.Reading;
import io.lapwing.common.log.Log;
import io.lapwing.linux.SmallFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
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

  /** Commands wait for half a minute: the one that wrote an older request was killed. */
  private static final Duration MAX_AGE = Duration.ofMinutes(1);

  private final Path folder;

  /** Requests that cannot be removed, each logged once. */
  private final Set<Path> refused = new HashSet<>();

  RequestFiles(Path folder) {
    this.folder = folder;
  }

  /** By root or the agent's user; the files belong to the agent, which removes them. */
  PendingRequest write(String... lines) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(folder);
    }
    UserPrincipal agent = owner(Objects.requireNonNull(folder.getParent())).getOwner();
    own(folder, agent);
    String name = String.format(Locale.ROOT, "%020d-%s", nanos(), UUID.randomUUID());
    Path written = folder.resolve(name + ".new");
    Files.writeString(
        written, Stream.of(lines).map(RequestFiles::line).collect(Collectors.joining()));
    own(written, agent);
    Path file = folder.resolve(name + SUFFIX);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    return new PendingRequest(file);
  }

  private static void own(Path path, UserPrincipal agent) throws IOException {
    FileOwnerAttributeView view = owner(path);
    if (!view.getOwner().equals(agent)) {
      view.setOwner(agent);
    }
  }

  private static FileOwnerAttributeView owner(Path path) {
    return Files.getFileAttributeView(
        path, FileOwnerAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** The order of requests: the end of something must not come before its start. */
  private static long nanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000 + now.getNano();
  }

  private static String line(String text) {
    return text.replaceAll("\\R", " ") + "\n";
  }

  /** Whether there is a request; false if the folder cannot be read. */
  boolean isWaiting() {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      return files.iterator().hasNext();
    } catch (IOException | DirectoryIteratorException unreadable) {
      return false;
    }
  }

  /** Checked first, because an exception with its stack trace every few seconds is expensive. */
  private boolean isAbsent() {
    Path parent = folder.getParent();
    return parent != null && parent.toFile().canExecute() && !folder.toFile().exists();
  }

  /** Removes and returns the requests on disk, each as its lines. */
  List<Request> read() {
    if (isAbsent()) {
      return List.of();
    }
    List<Request> requests = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      List<Path> inOrder = new ArrayList<>();
      files.forEach(inOrder::add);
      Collections.sort(inOrder);
      inOrder.forEach(file -> read(file, requests));
    } catch (NoSuchFileException | NotDirectoryException noRequest) {
      return List.of();
    } catch (IOException | DirectoryIteratorException unreadable) {
      LOG.warn(
          "requests cannot be read",
          "folder",
          folder,
          "why",
          String.valueOf(unreadable.getMessage()));
    }
    return requests;
  }

  /** Deleted first: a request that cannot be deleted would be repeated endlessly. */
  private void read(Path file, List<Request> requests) {
    Reading<byte[]> text = SmallFile.head(file, MAX_BYTES);
    try {
      boolean old = isOld(file);
      Files.delete(file);
      refused.remove(file);
      if (old) {
        LOG.warn("a request is too old, and is not carried out: ask again", "file", file);
        return;
      }
      text.toOptional()
          .map(bytes -> new String(bytes, StandardCharsets.UTF_8).lines().toList())
          .ifPresentOrElse(
              lines -> requests.add(new Request(file, lines)),
              () -> LOG.warn("a request cannot be read", "file", file, "why", why(text)));
    } catch (IOException undeletable) {
      if (refused.add(file)) {
        LOG.warn(
            "a request cannot be removed, and is not carried out",
            "file",
            file,
            "why",
            undeletable.getClass().getSimpleName());
      }
    }
  }

  /** By the system's clock, as the file system writes it. */
  private static boolean isOld(Path file) throws IOException {
    Instant written = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
    return Duration.between(written, Instant.now()).compareTo(MAX_AGE) > 0;
  }

  private static String why(Reading<byte[]> text) {
    return text.failure().orElse("gone");
  }

  record Request(Path file, List<String> lines) {

    /** Empty where the line is missing. */
    String line(int number) {
      return number < lines.size() ? lines.get(number) : "";
    }
  }
}
