package io.lapwing.deep;

import io.lapwing.collect.Reading;
import io.lapwing.json.NotJson;
import io.lapwing.linux.FileFailure;
import io.lapwing.linux.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.UUID;

/**
 * The last result in the state directory. A user who can write there could report a defective GPU,
 * so the file counts only if it, its folder and the state directory belong to root or to the owner
 * of the state directory, and no other user may write to them.
 */
public record DeepResultFile(Path state) {

  /** The reason of a file that another user may have written. */
  static final String UNTRUSTED = "untrusted";

  private static final String FOLDER = "deep-check";
  private static final String FILE = "result.json";
  private static final int MAX_BYTES = 256 * 1024;
  private static final int ROOT = 0;
  private static final int WRITABLE_BY_OTHERS = 022;

  public Path file() {
    return state.resolve(FOLDER).resolve(FILE);
  }

  /** Replaces the last result; needs write permission in the state directory. */
  public void write(byte[] json) throws IOException {
    Path folder = state.resolve(FOLDER);
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    requireTrusted(folder);
    Path written = folder.resolve(UUID.randomUUID() + ".new");
    try {
      Files.write(written, json, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(written, file(), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(written);
    }
  }

  /** The last result; missing without one, failed with {@code untrusted} or as other files are. */
  public Reading<DeepResult> read() {
    String question = file().toString();
    try {
      requireTrusted(state);
      requireTrusted(state.resolve(FOLDER));
      requireTrusted(file());
      Reading<String> text = SmallFile.whole(file(), MAX_BYTES);
      if (text instanceof Reading.Present<String> present) {
        return Reading.of(DeepResultJson.read(present.value()));
      }
      return text instanceof Reading.Failed<String> failed
          ? new Reading.Failed<>(question, failed.reason())
          : new Reading.Missing<>(question);
    } catch (NoSuchFileException none) {
      return new Reading.Missing<>(question);
    } catch (Untrusted other) {
      return new Reading.Failed<>(question, UNTRUSTED);
    } catch (NotJson wrong) {
      return new Reading.Failed<>(question, FileFailure.MALFORMED);
    } catch (IOException failed) {
      return FileFailure.reading(question, failed);
    }
  }

  /** Changes if the file is replaced; empty if it does not exist. */
  String version() {
    try {
      BasicFileAttributes now =
          Files.readAttributes(file(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return now.fileKey() + " " + now.lastModifiedTime() + " " + now.size();
    } catch (IOException none) {
      return "";
    }
  }

  private void requireTrusted(Path path) throws IOException {
    Map<String, Object> now = attributes(path);
    int owner = number(now, "uid");
    boolean link = Boolean.TRUE.equals(now.get("isSymbolicLink"));
    boolean open = (number(now, "mode") & WRITABLE_BY_OTHERS) != 0;
    if (link || open || (owner != ROOT && owner != number(attributes(state), "uid"))) {
      throw new Untrusted(
          path
              + " must belong to root or to the owner of "
              + state
              + ", not writable by other users");
    }
  }

  /** The state directory itself may be a link that an administrator set. */
  private Map<String, Object> attributes(Path path) throws IOException {
    LinkOption[] options =
        path.equals(state) ? new LinkOption[0] : new LinkOption[] {LinkOption.NOFOLLOW_LINKS};
    return Files.readAttributes(path, "unix:uid,mode,isSymbolicLink", options);
  }

  private static int number(Map<String, Object> attributes, String name) {
    return attributes.get(name) instanceof Integer number ? number : -1;
  }

  private static final class Untrusted extends IOException {
    private static final long serialVersionUID = 1L;

    Untrusted(String why) {
      super(why);
    }
  }
}
