package io.lapwing.nccl;

/**
 * Where a RAS service listens.
 *
 * @param host a name or an address; each address of a name is tried, as NCCL takes the first itself
 * @param port {@code 28028} unless {@code NCCL_RAS_ADDR} says otherwise
 */
public record RasEndpoint(String host, int port) {

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
