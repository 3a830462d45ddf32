package io.lapwing.xid;

import java.util.List;
import java.util.Locale;
import java.util.Set;

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
    Kind kind,
    List<String> generations,
    String nvidiaImmediate,
    String nvidiaFollowUp,
    XidCall aws,
    XidCall nvidia,
    String source) {

  /** Where the cause of an XID usually lies. */
  public enum Kind {
    /** The GPU, its memory, its power or its board. */
    HARDWARE,
    /** The application that was hit. */
    APPLICATION,
    /** The driver or the firmware that it loads. */
    DRIVER,
    /** NVLink, PCIe or the link to the CPU. */
    LINK,
    /** Heat, and the guards against power swings. */
    THERMAL;

    /** The word of the table: {@code hardware}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Buckets of XIDs whose message carries the action. */
  private static final Set<String> MESSAGE_DECIDES =
      Set.of("as the text says", "WORKFLOW_NVLINK5_ERR");

  public XidInfo {
    generations = List.copyOf(generations);
  }

  /** Whether a profile, or the message, can demand that a GPU or a node is reset or replaced. */
  public boolean callsForAction() {
    return aws.intervenes() || nvidia.intervenes() || MESSAGE_DECIDES.contains(nvidiaImmediate);
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
