package io.lapwing.dcgm;

/** Which host engine is used. */
public sealed interface DcgmMode {

  DcgmMode OFF = new Off();

  record Off() implements DcgmMode {}

  /** One that runs on this node; never starts one. */
  record Auto() implements DcgmMode {}

  record At(DcgmAddress address) implements DcgmMode {}

  /** One in this process, unless one runs on this node. */
  record Embedded() implements DcgmMode {}
}
