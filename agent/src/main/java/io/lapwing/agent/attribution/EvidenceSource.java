package io.lapwing.agent.attribution;

import io.lapwing.metric.Metric;
import java.util.List;

/** Tells signs of what slows training, from what is read of one kind of thing. */
interface EvidenceSource {

  /** What it looks at: {@code gpu}, or the kind of the parts. */
  String kind();

  /** The families of which it takes values. */
  List<Metric> reads();

  /** The counters whose increase it asks for. */
  List<Metric> trends();
}
