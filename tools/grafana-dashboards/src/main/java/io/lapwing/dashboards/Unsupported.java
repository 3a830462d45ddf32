package io.lapwing.dashboards;

/**
 * What panels of SM, tensor and memory activity show for GPUs before Hopper, where NVML does not
 * have these values: a name without a line, instead of nothing. {@code lapwing_gpu_gpm_supported}
 * is NVML's answer, and stays 0 where DCGM has the values.
 */
final class Unsupported {

  /** Legend of such GPUs. */
  static final String WORDS = "not supported on this GPU";

  private Unsupported() {}

  /** A number that words replace: {@code activity}, or -1 if no GPU has it. */
  static String orMinusOne(String activity, String gpus) {
    return activity + " or ((max(lapwing_gpu_gpm_supported" + gpus + ") - 1) < 0)";
  }

  /** {@link #orMinusOne} in words. */
  static Scale scale() {
    return Scale.PLAIN.word(-1, WORDS, "gray");
  }

  /** GPUs with neither GPM nor DCGM. */
  private static String without(String gpus) {
    return """
        lapwing_gpu_gpm_supported%1$s} == 0
          unless on (cluster, instance, UUID) lapwing_gpu_activity_info%1$s, source="dcgm"}
        """
        .formatted(gpus);
  }

  /** By node: not a number, so that nothing is drawn. */
  static Query byNode(String gpus) {
    return Query.lines("max by (instance) (" + without(gpus) + ") / 0", "{{instance}}: " + WORDS);
  }

  /** Of the nodes of a job. */
  static Query ofJob() {
    return Query.lines(
        "0 * count(" + Selectors.ofJob(without("{cluster")) + ") / 0", WORDS + " (before Hopper)");
  }

  /** Of the nodes of a type. */
  static Query ofType() {
    return Query.lines(
        "0 * count(" + Selectors.ofType(without("{cluster")) + ") / 0", WORDS + " (before Hopper)");
  }
}
