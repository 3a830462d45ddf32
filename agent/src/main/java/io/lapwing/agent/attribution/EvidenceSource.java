package io.lapwing.agent.attribution;

import io.lapwing.metric.Metric;
import java.util.List;

/** Derives evidence of training slowdowns from the parts of one kind. */
interface EvidenceSource {

  /** {@code gpu}, or the kind of the parts. */
  String kind();

  /** The families whose values are used. */
  List<Metric> reads();

  /** The counters whose increase is used. */
  List<Metric> trends();
}
