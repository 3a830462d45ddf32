package io.lapwing.inference;

/** How several series of one engine and one model become one. */
enum Fold {
  /** Each counts other requests: engine indexes, ways to finish, endpoints. */
  SUM,
  /** A share of several caches: the fullest is the one that holds requests up. */
  MAX,
  /**
   * SGLang's schedulers: those of one {@code dp_rank} tell the same requests each, and are taken
   * once, those of others have others. Where there are priorities, the series without one is all of
   * them.
   */
  REPLICAS
}
