package io.lapwing.common.web;

import io.lapwing.common.log.Log;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;

/**
 * A Unix socket that serves the same pages to commands on this node, without TLS. Its directory
 * belongs to root or to the process, so that no other user can answer there.
 */
record LocalSocket(Path path, ServerSocketChannel channel, boolean restricted, UserPrincipal owner)
    implements Closeable {
  private static final Log LOG = Log.of(LocalSocket.class);
  private static final ProtocolFamily UNIX = StandardProtocolFamily.UNIX;

  /** {@code S_IFMT} and {@code S_IFSOCK} of sys/stat.h. */
  private static final int FILE_TYPE = 0_170_000;

  private static final int SOCKET = 0_140_000;
  private static final String FOR_ALL = "rw-rw-rw-";
  private static final String FOR_ITS_GROUP = "rw-rw----";

  /**
   * Binds the socket; empty if the directory is missing or closed to this process, or if another
   * agent serves the socket. {@code restricted}: only its user, its group and root may connect.
   */
  static Optional<LocalSocket> open(Path path, boolean restricted) {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !Files.isWritable(folder)) {
      LOG.debug("no Unix socket: its directory is missing or not writable", "path", path);
      return Optional.empty();
    }
    try {
      return Optional.of(bind(path, restricted));
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn(
          "cannot listen on the Unix socket; commands ask over TCP", "path", path, "reason", e);
      return Optional.empty();
    }
  }

  /** As {@link #open}, or throws if the socket cannot be bound. */
  static LocalSocket bind(Path path, boolean restricted) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(UNIX);
    try {
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        removeIfLeftBehind(path);
      }
      channel.bind(UnixDomainSocketAddress.of(path));
      Files.setPosixFilePermissions(
          path, PosixFilePermissions.fromString(restricted ? FOR_ITS_GROUP : FOR_ALL));
      UserPrincipal owner = Files.getOwner(path, LinkOption.NOFOLLOW_LINKS);
      return new LocalSocket(path, channel, restricted, owner);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static void removeIfLeftBehind(Path path) throws IOException {
    if ((mode(path) & FILE_TYPE) != SOCKET) {
      throw new FileAlreadyExistsException(path + " exists and is not a socket");
    }
    try (SocketChannel other = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      throw new BindException("another process serves it: " + other.getRemoteAddress());
    } catch (BindException used) {
      throw used;
    } catch (IOException nobodyListens) {
      Files.delete(path);
    }
  }

  private static int mode(Path path) throws IOException {
    return ((Number) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS)).intValue();
  }

  @Override
  public void close() {
    try {
      channel.close();
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.debug("the Unix socket stays", "path", path, "reason", e);
    }
  }
}
