package io.lapwing.simulator;

/** How a service answers a status request. */
public enum RasManner {
  /** As NCCL 2.28.7 and later do. */
  JSON,
  /** As NCCL 2.24 to 2.28.3 do: only text. */
  TEXT_ONLY,
  /** Accepts the request and never answers. */
  HANGS,
  /** Accepts the connection and sends nothing. */
  SILENT,
  /** Sends a response that is not JSON. */
  GARBAGE,
  /** Closes the connection in the middle of its response. */
  CUT_OFF,
  /** Sends endless JSON. */
  ENDLESS,
  /** Another service on the port. */
  STRANGER
}
