package io.lapwing.nccl;

/**
 * The address of a RAS service, on port {@code 28028} unless {@code NCCL_RAS_ADDR} sets another.
 * All addresses of a name are tried, as NCCL listens on the first one it resolves.
 */
public record RasEndpoint(String host, int port) {

  /** NCCL's default. */
  public static final RasEndpoint DEFAULT = new RasEndpoint("localhost", 28028);

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
