package io.lapwing.lnet;

import io.lapwing.metric.Labels;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The labels of each interface or peer, the same objects in every round. */
final class NidLabels {

  private final Map<String, Labels> byNid = new HashMap<>();

  Labels of(String nid) {
    return byNid.computeIfAbsent(nid, unseen -> Labels.of("nid", unseen));
  }

  /** Forgets all others. */
  void keep(Collection<String> nids) {
    byNid.keySet().retainAll(nids);
  }
}
