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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The kubelet's Unix socket. Its connection is kept, as a new one takes thirty wake-ups; without a
 * socket none of the client's classes is loaded. The timeout is that of a whole call.
 */
public final class KubeletSocket implements PodResources {

  /** The kubelet answers in milliseconds, but the first call loads classes. */
  public static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final Path socket;
  private final Duration timeout;
  private @Nullable KubeletConnection kept;
  private @Nullable Object key;

  public KubeletSocket(Path socket, Duration timeout) {
    this.socket = socket;
    this.timeout = timeout;
  }

  @Override
  public Reading<List<PodResources.Device>> list() {
    try {
      return ask(Files.readAttributes(socket, BasicFileAttributes.class).fileKey());
    } catch (NoSuchFileException notThere) {
      close();
      return new Reading.Missing<>(socket.toString());
    } catch (AccessDeniedException denied) {
      // The folder is root's: without permission, absence of a kubelet is unknown.
      return new Reading.Failed<>(socket.toString(), "no_permission");
    } catch (IOException failed) {
      return new Reading.Failed<>(socket.toString(), "io");
    }
  }

  private Reading<List<PodResources.Device>> ask(@Nullable Object nowKey) {
    KubeletConnection connection = kept;
    boolean reused = connection != null && connection.isOpen() && Objects.equals(nowKey, key);
    try {
      if (connection == null || !reused) {
        close();
        connection = new KubeletConnection(socket, timeout);
        kept = connection;
        key = nowKey;
      }
      return Reading.of(connection.list());
    } catch (CallFailure failed) {
      close();
      // A kubelet that restarted has closed the connection.
      return reused && failed.reason().equals(CallFailure.CLOSED)
          ? ask(nowKey)
          : new Reading.Failed<>(socket.toString(), failed.reason());
    } catch (IOException failed) {
      close();
      return new Reading.Failed<>(socket.toString(), "io");
    }
  }

  @Override
  public void close() {
    KubeletConnection connection = kept;
    kept = null;
    if (connection != null) {
      connection.close();
    }
  }
}
