package io.lapwing.systemd;

import com.sun.jna.Native;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The notification socket of systemd or a container manager: sd_notify(3) without its library. */
public final class NotifySocket implements Supervisor {

  private static final String SOCKET = "NOTIFY_SOCKET";
  private static final String WATCHDOG = "WATCHDOG_USEC";
  private static final String WATCHDOG_PID = "WATCHDOG_PID";

  private final Libc libc;
  private final SocketAddress address;

  private NotifySocket(Libc libc, SocketAddress address) {
    this.libc = libc;
    this.address = address;
  }

  /**
   * The supervisor of an environment, or {@link Supervisor#NONE}. The C library is loaded only if
   * there is a supervisor.
   */
  public static Supervisor in(Map<String, String> environment) {
    return SocketAddress.of(environment.getOrDefault(SOCKET, ""))
        .<Supervisor>map(address -> new NotifySocket(Native.load(Libc.class), address))
        .orElse(NONE);
  }

  /**
   * The watchdog timeout: the maximum time between two keep-alives.
   *
   * @param pid of this process: the environment may be inherited from the process it is meant for
   */
  public static Optional<Duration> watchdog(Map<String, String> environment, long pid) {
    String meant = environment.getOrDefault(WATCHDOG_PID, "");
    if (!meant.isEmpty() && !meant.equals(Long.toString(pid))) {
      return Optional.empty();
    }
    return microseconds(environment.getOrDefault(WATCHDOG, ""));
  }

  private static Optional<Duration> microseconds(String text) {
    try {
      long micros = Long.parseLong(text);
      return micros > 0 ? Optional.of(Duration.ofNanos(micros * 1000)) : Optional.empty();
    } catch (NumberFormatException none) {
      return Optional.empty();
    }
  }

  /** Opens a socket per message: a kept one would not survive a restart of the manager. */
  @Override
  public boolean send(String state) {
    int socket = libc.socket(Libc.AF_UNIX, Libc.SOCK_DGRAM | Libc.SOCK_CLOEXEC, 0);
    if (socket < 0) {
      return false;
    }
    byte[] message = state.getBytes(StandardCharsets.UTF_8);
    byte[] to = address.bytes();
    int flags = Libc.MSG_DONTWAIT | Libc.MSG_NOSIGNAL;
    try {
      return libc.sendto(socket, message, message.length, flags, to, to.length) == message.length;
    } finally {
      libc.close(socket);
    }
  }
}
