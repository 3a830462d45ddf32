package io.lapwing.jobs;

import io.lapwing.metric.LabelText;
import java.nio.charset.StandardCharsets;

/** What is known of a Slurm job beside its id. Unknown fields are empty. */
record JobDetails(String user, String account, String partition) {

  static final JobDetails NONE = new JobDetails("", "", "");

  /**
   * Slurm's variables in {@code /proc/<pid>/environ}, which the user may change.
   *
   * @param environ entries {@code NAME=value}, each terminated by a zero byte; may be truncated
   *     anywhere
   * @param jobId from the cgroup: variables of another job, inherited by the process, are ignored
   */
  static JobDetails ofEnvironment(byte[] environ, String jobId) {
    String user = "";
    String account = "";
    String partition = "";
    String job = "";
    int from = 0;
    for (int at = 0; at < environ.length; at++) {
      if (environ[at] != 0) {
        continue;
      }
      if (isOfSlurm(environ, from)) {
        String word = new String(environ, from, at - from, StandardCharsets.UTF_8);
        job = value(word, "SLURM_JOB_ID=", job);
        user = value(word, "SLURM_JOB_USER=", user);
        account = value(word, "SLURM_JOB_ACCOUNT=", account);
        partition = value(word, "SLURM_JOB_PARTITION=", partition);
      }
      from = at + 1;
    }
    return job.isEmpty() || job.equals(jobId)
        ? new JobDetails(
            LabelText.clean(user), LabelText.clean(account), LabelText.clean(partition))
        : JobDetails.NONE;
  }

  private static boolean isOfSlurm(byte[] environ, int from) {
    return environ.length - from > 6 && environ[from] == 'S' && environ[from + 5] == '_';
  }

  private static String value(String word, String name, String before) {
    return word.startsWith(name) ? word.substring(name.length()) : before;
  }
}
