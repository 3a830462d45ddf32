package io.lapwing.simulator;

/** How a service answers that is asked for its status. */
public enum RasManner {
  /** As NCCL 2.28.7 and later do. */
  JSON,
  /** As NCCL 2.24 to 2.28.3 do, which know no other format. */
  TEXT_ONLY,
  /** Takes the question and never answers. */
  HANGS,
  /** Takes the connection and never says a word. */
  SILENT,
  /** Sends something else than JSON. */
  GARBAGE,
  /** Closes the connection in the middle of its reply. */
  CUT_OFF,
  /** Never ends its reply, which is JSON as far as it goes. */
  ENDLESS,
  /** Is something else that listens there. */
  STRANGER
}
