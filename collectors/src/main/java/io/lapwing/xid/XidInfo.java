package io.lapwing.xid;

import java.util.List;

/**
 * What is known of an XID: one row of {@code xid.csv}.
 *
 * @param name a few words: {@code row remap recorded}
 * @param meaning one sentence
 * @param kind where its cause lies as a rule
 * @param generations those that report it, as NVIDIA's catalogue heads its columns: {@code A100},
 *     {@code H100}, {@code B100}, {@code GB200}; empty where the catalogue names none
 * @param nvidiaImmediate the catalogue's bucket of the action to take at once, {@code RESET_GPU};
 *     may be empty
 * @param nvidiaFollowUp its bucket of what to look into, {@code CONTACT_SUPPORT}; may be empty
 * @param aws what it means under profile {@code aws}
 * @param nvidia what it means under profile {@code nvidia}
 * @param source what says so
 */
public record XidInfo(
    int number,
    String name,
    String meaning,
    XidClass kind,
    List<String> generations,
    String nvidiaImmediate,
    String nvidiaFollowUp,
    XidCall aws,
    XidCall nvidia,
    String source) {

  public XidInfo {
    generations = List.copyOf(generations);
  }

  XidInfo numbered(int other) {
    return new XidInfo(
        other,
        name,
        meaning,
        kind,
        generations,
        nvidiaImmediate,
        nvidiaFollowUp,
        aws,
        nvidia,
        source);
  }
}
