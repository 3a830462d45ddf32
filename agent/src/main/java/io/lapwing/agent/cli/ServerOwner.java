package io.lapwing.agent.cli;

import io.lapwing.jobs.UserNames;
import io.lapwing.linux.TcpListeners;
import io.lapwing.linux.TcpListeners.TcpListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the server at an address of this machine can be the agent. Any user can bind the agent's
 * port while it is free, and answer with a forged verdict. So the server has to belong to root, to
 * the agent's user or, where {@code self} is given, to that user.
 *
 * @param root of the file system with {@code proc} and {@code etc/passwd}
 * @param self the user of this process, if its own servers count
 */
record ServerOwner(Path root, Optional<Long> self) {

  private static final long ROOT = 0;
  private static final int HTTP_PORT = 80;
  private static final int STICKY = 01000;
  private static final int WRITTEN_BY_OTHERS = 022;
  private static final String NOT_TRUSTED = ", not by root or lapwing";

  /** As in lapwing.sysusers. */
  private static final String AGENT = "lapwing";

  private static final List<String> UNITS =
      List.of(
          "etc/systemd/system/lapwing.service",
          "usr/lib/systemd/system/lapwing.service",
          "lib/systemd/system/lapwing.service");

  private static final Path SYSTEM = Path.of("/");

  /** A user's own agent counts if none is installed as a service, or if it was named explicitly. */
  static ServerOwner ofThisMachine(boolean explicit) {
    boolean installed = UNITS.stream().map(SYSTEM::resolve).anyMatch(Files::exists);
    return new ServerOwner(
        SYSTEM, explicit || !installed ? Optional.of(caller()) : Optional.empty());
  }

  private static long caller() {
    try {
      return uid(Path.of("/proc/self"));
    } catch (IOException | UnsupportedOperationException noProc) {
      return ROOT;
    }
  }

  /** Why the answer of this address does not count; empty if it does, or if no server listens. */
  Optional<String> objection(AgentAddress address) {
    if (address.socket().isPresent()) {
      return objection(address.socket().get());
    }
    int port = port(address);
    try {
      return listeners(address).stream()
          .filter(listener -> !isTrusted(listener.uid()))
          .findFirst()
          .map(other -> "port " + port + " is held by " + user(other.uid()) + NOT_TRUSTED);
    } catch (IOException unreadable) {
      return Optional.of("the owner of port " + port + " is unknown (" + unreadable + ")");
    }
  }

  /** Why an answer that was just read does not count. */
  Optional<String> objectionToAnswer(AgentAddress address) {
    Optional<String> objection = objection(address);
    if (objection.isPresent() || address.socket().isPresent() || !isByItsPort(address)) {
      return objection;
    }
    try {
      return listeners(address).isEmpty()
          ? Optional.of("the owner of port " + port(address) + " is not visible here")
          : Optional.empty();
    } catch (IOException unreadable) {
      return Optional.of("the owner of port " + port(address) + " is unknown (" + unreadable + ")");
    }
  }

  /** TLS authenticates a server itself, and the users of another machine are not known here. */
  private static boolean isByItsPort(AgentAddress address) {
    return address.thisMachine() && !"https".equals(address.base().getScheme());
  }

  private static int port(AgentAddress address) {
    return address.base().getPort() < 0 ? HTTP_PORT : address.base().getPort();
  }

  private List<TcpListener> listeners(AgentAddress address) throws IOException {
    if (!isByItsPort(address)) {
      return List.of();
    }
    String host = address.base().getHost().replaceAll("[\\[\\]]", "");
    InetSocketAddress target = new InetSocketAddress(host, port(address));
    return TcpListeners.on(port(address), root.resolve("proc/self/net")).stream()
        .filter(listener -> target.isUnresolved() || listener.serves(target.getAddress()))
        .toList();
  }

  /** A Unix socket, by its real path, counts if no other user can write its directories. */
  private Optional<String> objection(Path socket) {
    try {
      for (Path folder = socket.getParent(); folder != null; folder = folder.getParent()) {
        Optional<String> objection = ofFolder(folder);
        if (objection.isPresent()) {
          return objection;
        }
      }
      long owner = uid(socket);
      return isTrusted(owner)
          ? Optional.empty()
          : Optional.of(socket + " is owned by " + user(owner) + NOT_TRUSTED);
    } catch (IOException | UnsupportedOperationException missing) {
      return Optional.empty();
    }
  }

  private Optional<String> ofFolder(Path folder) throws IOException {
    Map<String, Object> attributes = Files.readAttributes(folder, "unix:uid,mode");
    long owner = ((Number) attributes.getOrDefault("uid", -1)).longValue();
    int mode = ((Number) attributes.getOrDefault("mode", 0)).intValue();
    if (!isTrusted(owner)) {
      return Optional.of(folder + " is owned by " + user(owner) + NOT_TRUSTED);
    }
    boolean shared = (mode & WRITTEN_BY_OTHERS) != 0 && (mode & STICKY) == 0;
    return shared ? Optional.of(folder + " can be written by others") : Optional.empty();
  }

  private boolean isTrusted(long uid) {
    return uid == ROOT
        || self.filter(own -> own == uid).isPresent()
        || new UserNames(root).name(Long.toString(uid)).filter(AGENT::equals).isPresent();
  }

  private String user(long uid) {
    return "user "
        + uid
        + new UserNames(root).name(Long.toString(uid)).map(name -> " (" + name + ")").orElse("");
  }

  private static long uid(Path file) throws IOException {
    return ((Number) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS)).longValue();
  }
}
