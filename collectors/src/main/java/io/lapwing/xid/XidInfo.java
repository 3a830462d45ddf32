package io.lapwing.xid;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One row of {@code xid.csv}.
 *
 * @param name a few words: {@code row remap recorded}
 * @param meaning one sentence
 * @param kind where its cause usually lies
 * @param generations GPUs that report it, as in the column heads of NVIDIA's catalogue: {@code
 *     A100}, {@code H100}, {@code B100}, {@code GB200}; empty if the catalogue names none
 * @param nvidiaImmediate the catalogue's bucket for the immediate action, {@code RESET_GPU}; may be
 *     empty
 * @param nvidiaFollowUp its bucket for the investigation, {@code CONTACT_SUPPORT}; may be empty
 * @param aws severity and action under profile {@code aws}
 * @param nvidia severity and action under profile {@code nvidia}
 * @param balanced those of one of the two, under profile {@code balanced}
 * @param source the source of the row
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
    XidCall balanced,
    String source) {

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

  /** NVML's names of data center GPUs up to Hopper: {@code NVIDIA H100 80GB HBM3}. */
  private static final Pattern BEFORE_BLACKWELL =
      Pattern.compile("\\b(?:[AVTPL]\\d{1,3}[GS]?|G?H\\d{2,3})\\b");

  private static final Set<String> BLACKWELL = Set.of("B100", "GB200");

  public XidInfo {
    generations = List.copyOf(generations);
  }

  /** Whether a profile, or the message, can demand that a GPU or a node is reset or replaced. */
  public boolean callsForAction() {
    return aws.intervenes() || nvidia.intervenes() || MESSAGE_DECIDES.contains(nvidiaImmediate);
  }

  /** False only if the catalogue names this XID for newer GPUs alone; {@code model} is NVML's. */
  public boolean possibleOn(String model) {
    return generations.isEmpty()
        || !BLACKWELL.containsAll(generations)
        || !BEFORE_BLACKWELL.matcher(model).find();
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
        balanced,
        source);
  }

  /**
   * The verdict on an XID under one profile: {@code info}, {@code degraded}, {@code unknown} or
   * {@code failing}; {@code none}, {@code watch}, {@code restart_app}, {@code reset_gpu}, {@code
   * reboot_node} or {@code replace_node}; {@code now} or {@code job_end}. Only validated here.
   */
  public record XidCall(String severity, String action, String urgency) {

    static final Set<String> SEVERITIES = Set.of("info", "degraded", "unknown", "failing");
    static final Set<String> ACTIONS =
        Set.of("none", "watch", "restart_app", "reset_gpu", "reboot_node", "replace_node");
    static final Set<String> URGENCIES = Set.of("now", "job_end");

    private static final Set<String> INTERVENTIONS =
        Set.of("reset_gpu", "reboot_node", "replace_node");

    public XidCall {
      known(severity, SEVERITIES);
      known(action, ACTIONS);
      known(urgency, URGENCIES);
    }

    /** Whether a GPU or a node has to be reset or replaced. */
    boolean intervenes() {
      return INTERVENTIONS.contains(action);
    }

    private static void known(String word, Set<String> words) {
      if (!words.contains(word)) {
        throw new IllegalArgumentException("'" + word + "' is not one of " + words);
      }
    }
  }
}
