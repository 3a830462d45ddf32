package io.lapwing.dcgm;

/** Where a host engine listens: {@code HOST:PORT}, or the path of a Unix socket. */
public record DcgmAddress(String text, boolean unix) {

  /** The default of {@code nv-hostengine}. */
  public static final int PORT = 5555;

  public static final DcgmAddress TCP = new DcgmAddress("localhost:" + PORT, false);

  /** The default of {@code nv-hostengine -d}. */
  public static final DcgmAddress UNIX = new DcgmAddress("/tmp/nv-hostengine", true);

  @Override
  public String toString() {
    return unix ? "unix:" + text : text;
  }
}
