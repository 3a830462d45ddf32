package io.lapwing.gpu;

import io.lapwing.dcgm.DcgmAddress;
import io.lapwing.linux.NodeAddresses;
import io.lapwing.linux.SmallFile;
import io.lapwing.linux.TcpListeners;
import io.lapwing.linux.TcpListeners.TcpListener;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The host engines of DCGM on this node, found without calling DCGM. Any user can listen on the
 * port while it is free, or make the socket in {@code /tmp}, and answer with false values: the
 * owner has to be root, a system account, or the agent's user. The kernel does not show who listens
 * at a port of vsock, so of this node's ports only those are used that are reserved for root.
 */
public record HostEngines(
    Path procfs, DcgmAddress tcp, DcgmAddress socket, NodeAddresses addresses) {

  /** {@code SYS_UID_MAX} of login.defs. */
  private static final long LAST_SYSTEM_UID = 999;

  /** {@code VMADDR_CID_LOCAL}: this node itself. */
  private static final long LOCAL_CID = 1;

  /** {@code LAST_RESERVED_PORT} of vsock: up to it {@code CAP_NET_BIND_SERVICE} is needed. */
  private static final int LAST_RESERVED_PORT = 1023;

  /** Literal addresses, which the JDK parses or rejects without asking a resolver. */
  private static final Pattern V4 =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?=.)|$)){4}");

  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  /** Programs that have a host engine in them; names of processes have 15 characters. */
  private static final Set<String> PROGRAMS = Set.of("nv-hostengine", "dcgm-exporter");

  /** Where {@code nv-hostengine} listens by default. */
  public HostEngines(Path procfs) {
    this(procfs, DcgmAddress.TCP, DcgmAddress.UNIX, NodeAddresses.ofInterfaces());
  }

  /** The first one with a listener, whoever its owner is. */
  public Optional<DcgmAddress> listening() {
    return Stream.of(tcp, socket).filter(this::isThere).findFirst();
  }

  private boolean isThere(DcgmAddress address) {
    try {
      return switch (address.kind()) {
        case UNIX -> Files.exists(Path.of(address.text()), LinkOption.NOFOLLOW_LINKS);
        case TCP -> !listeners(address).isEmpty();
        case VSOCK -> false;
      };
    } catch (IOException unreadable) {
      return false;
    }
  }

  /**
   * Why an address of this node is not used; empty for other machines, and if no process listens.
   */
  Optional<String> objection(DcgmAddress address) {
    try {
      return switch (address.kind()) {
        case UNIX -> ofSocket(Path.of(address.text()));
        case TCP -> ofPort(address);
        case VSOCK -> ofVsock(address);
      };
    } catch (NoSuchFileException missing) {
      return Optional.empty();
    } catch (IOException | UnsupportedOperationException unreadable) {
      return Optional.of("the owner of " + address + " is unknown (" + unreadable + ")");
    }
  }

  private Optional<String> ofSocket(Path path) throws IOException {
    long owner = uid(path);
    return isTrusted(owner) ? Optional.empty() : Optional.of(heldBy("socket " + path, owner));
  }

  private Optional<String> ofPort(DcgmAddress address) throws IOException {
    for (TcpListener listener : listeners(address)) {
      if (!isTrusted(listener.uid())) {
        return Optional.of(heldBy("port " + listener.port(), listener.uid()));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> ofVsock(DcgmAddress address) {
    long cid = Long.parseLong(address.text().substring(0, address.text().lastIndexOf(':')));
    return cid == LOCAL_CID && port(address) > LAST_RESERVED_PORT
        ? Optional.of("any user can listen at " + address + ", and who does is unknown")
        : Optional.empty();
  }

  private static int port(DcgmAddress address) {
    return Integer.parseInt(address.text().substring(address.text().lastIndexOf(':') + 1));
  }

  private static String heldBy(String what, long uid) {
    return what + " is held by user " + uid + ", not by root or a system account";
  }

  /** Those that serve the address, if it is this node's; its name stands for all its addresses. */
  private List<TcpListener> listeners(DcgmAddress address) throws IOException {
    String host = address.text().substring(0, address.text().lastIndexOf(':'));
    Predicate<TcpListener> serves = serving(host.replaceAll("[\\[\\]]|%.*", ""));
    return TcpListeners.on(port(address), procfs.resolve("self/net")).stream()
        .filter(serves)
        .toList();
  }

  /** Names are not resolved, as a resolver may take seconds. */
  private Predicate<TcpListener> serving(String host) throws IOException {
    if (host.equals("localhost")) {
      byte[] one = new byte[16];
      one[15] = 1;
      InetAddress four = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
      InetAddress six = InetAddress.getByAddress(one);
      return listener -> listener.serves(four) || listener.serves(six);
    }
    if (V4.matcher(host).matches() || V6.matcher(host).matches()) {
      InetAddress at = InetAddress.getByName(host);
      boolean own = at.isLoopbackAddress() || addresses.now().contains(at);
      return listener -> own && listener.serves(at);
    }
    String name = SmallFile.text(procfs.resolve("sys/kernel/hostname")).toOptional().orElse("");
    boolean own = firstLabel(host).equalsIgnoreCase(firstLabel(name));
    return listener -> own;
  }

  private static String firstLabel(String name) {
    return name.replaceAll("\\..*", "");
  }

  private boolean isTrusted(long uid) throws IOException {
    return uid <= LAST_SYSTEM_UID || uid == uid(procfs.resolve("self"));
  }

  private static long uid(Path file) throws IOException {
    return ((Number) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS)).longValue();
  }

  /** Whether there is one that no ordinary user can have started. */
  boolean isTrustedThere() {
    return listening().filter(address -> objection(address).isEmpty()).isPresent()
        || process(this::isOfTrusted).isPresent();
  }

  private boolean isOfTrusted(Path process) {
    try {
      return isTrusted(uid(process));
    } catch (IOException ended) {
      return false;
    }
  }

  /** A process that has a host engine, wherever it listens: {@code nv-hostengine (pid 812)}. */
  Optional<String> process() {
    return process(any -> true);
  }

  private Optional<String> process(Predicate<Path> which) {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(procfs, "[0-9]*")) {
      for (Path process : processes) {
        String name = comm(process);
        if (PROGRAMS.contains(name) && which.test(process)) {
          return Optional.of(name + " (pid " + process.getFileName() + ")");
        }
      }
      return Optional.empty();
    } catch (IOException unreadable) {
      return Optional.of("an unknown process: " + unreadable);
    }
  }

  private static String comm(Path process) {
    try {
      return Files.readString(process.resolve("comm")).strip();
    } catch (IOException ended) {
      return "";
    }
  }
}
