package io.lapwing.drain.slurm;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of GPUs in Slurm's lists of resources. */
final class GpuCount {

  /**
   * {@code gpu:8}, {@code gpu:h100:8(S:0-1)}, {@code gres:gpu:2} (to 22.05), {@code gres/gpu:2}.
   */
  private static final Pattern GRES =
      Pattern.compile(
          "(?:gres[:/])?gpu(?::[A-Za-z][^,:=()]*)?(?:[:=]([0-9]{1,6}))?(?:\\([^)]*\\))?");

  /** {@code gres/gpu=8}; those of one type, {@code gres/gpu:h100=8}, are among them. */
  private static final Pattern TRES = Pattern.compile("(?:^|,)gres/gpu=([0-9]{1,6})(?:,|$)");

  private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

  private GpuCount() {}

  /** Of allocated resources: {@code cpu=96,mem=1T,node=1,gres/gpu=8}. 0 if they are not counted. */
  static int ofTres(String tres) {
    Matcher match = TRES.matcher(tres);
    return match.find() ? Integer.parseInt(match.group(1)) : 0;
  }

  /** Of a node or a request, all types together: {@code gpu:h100:8,nvme:1}. */
  static int ofGres(String gres) {
    int sum = 0;
    for (String one : COMMA.split(gres, -1)) {
      Matcher match = GRES.matcher(one.strip());
      if (match.matches()) {
        sum += match.group(1) == null ? 1 : Integer.parseInt(match.group(1));
      }
    }
    return sum;
  }

  /**
   * Of a job, on all its nodes. Slurm counts GPUs among the resources only if AccountingStorageTRES
   * names them; what was requested for each task or socket is not known then.
   */
  static int ofJob(String tres, String perJob, String perNode, int nodes) {
    if (ofTres(tres) > 0) {
      return ofTres(tres);
    }
    long all = (long) ofGres(perNode) * nodes;
    return ofGres(perJob) > 0 ? ofGres(perJob) : (int) Math.min(all, Integer.MAX_VALUE);
  }
}
