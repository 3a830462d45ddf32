package io.lapwing.training;

import java.util.OptionalDouble;

/** What a GPU of this node can do at most. */
public interface PeakFlops {

  /** Of a node of which nobody knows. */
  PeakFlops UNKNOWN = precision -> OptionalDouble.empty();

  /** Dense, of one GPU, in floating-point operations a second; empty where unknown. */
  OptionalDouble of(Precision precision);
}
