package io.lapwing.dcgm;

import io.lapwing.collect.Reading;

/** DCGM's client library, loaded once per process. */
public interface Dcgm {

  /** The reason of a library that is not installed. */
  String NOT_FOUND = "library_not_found";

  /** {@code dcgmVersionInfo}: {@code 4.4.2}; empty if unknown. */
  String version();

  /**
   * {@code dcgmConnect_v2}, or {@code dcgmConnect_v3} for vsock, to a host engine that runs. Fails
   * with {@code version_mismatch} where the versions of library and engine do not fit together, and
   * with {@code no_vsock} where the library is older than 4.5.
   */
  Reading<DcgmEngine> connect(DcgmAddress address);

  /**
   * {@code dcgmStartEmbedded_v2}: a host engine in this process, the same for all callers; it ends
   * when the last of them closes it. Two on a node are unsupported and may dead-lock the driver, so
   * the caller makes sure that there is no other.
   */
  Reading<DcgmEngine> startEmbedded();
}
