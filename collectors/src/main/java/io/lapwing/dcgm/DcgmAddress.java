package io.lapwing.dcgm;

/**
 * Where a host engine listens.
 *
 * @param text {@code HOST:PORT}, the path of a Unix socket, or {@code CID:PORT}
 */
public record DcgmAddress(String text, Kind kind) {

  public enum Kind {
    TCP,
    UNIX,
    /** Between a virtual machine and its host; needs a library of DCGM 4.5 or later. */
    VSOCK
  }

  /** The default of {@code nv-hostengine}. */
  public static final int PORT = 5555;

  public static final DcgmAddress TCP = tcp("localhost:" + PORT);

  /** The default of {@code nv-hostengine -d}. */
  public static final DcgmAddress UNIX = unix("/tmp/nv-hostengine");

  public static final String UNIX_PREFIX = "unix:";
  public static final String VSOCK_PREFIX = "vsock://";

  public static DcgmAddress tcp(String hostAndPort) {
    return new DcgmAddress(hostAndPort, Kind.TCP);
  }

  public static DcgmAddress unix(String path) {
    return new DcgmAddress(path, Kind.UNIX);
  }

  public static DcgmAddress vsock(String cidAndPort) {
    return new DcgmAddress(cidAndPort, Kind.VSOCK);
  }

  /** As it is written in {@code --dcgm.engine}; its form is not checked. */
  public static DcgmAddress of(String text) {
    if (text.startsWith(UNIX_PREFIX)) {
      return unix(text.substring(UNIX_PREFIX.length()));
    }
    return text.startsWith(VSOCK_PREFIX) ? vsock(text.substring(VSOCK_PREFIX.length())) : tcp(text);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case TCP -> text;
      case UNIX -> UNIX_PREFIX + text;
      case VSOCK -> VSOCK_PREFIX + text;
    };
  }
}
