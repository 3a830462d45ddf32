package io.lapwing.jobs;

import static io.lapwing.jobs.JobNode.allocated;
import static io.lapwing.jobs.JobNode.reasons;
import static io.lapwing.jobs.JobNode.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.RecordedSink;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Job ids that a failed epilog left in the mapping directory. */
class StaleJobsTest {

  private static final Duration LONG = Duration.ofMinutes(6);
  private static final String V2 = "sys/fs/cgroup/system.slice/slurmstepd.scope/";
  private static final String V1 = "sys/fs/cgroup/memory/slurm/uid_1000/";

  private JobNode node;

  @BeforeEach
  void node(@TempDir Path root) {
    node = new JobNode(root).write("mapping/0", "1042\n1043\n").age("mapping/0", LONG);
  }

  private void assertStale() {
    RecordedSink round = node.round();
    assertThat(rows(round)).containsExactly("0 job_id=1043");
    assertThat(reasons(round)).containsExactly("stale");
  }

  private void assertNotStale() {
    RecordedSink round = node.round();
    assertThat(rows(round)).hasSize(2);
    assertThat(round.failures()).isEmpty();
  }

  @Test
  void aJobWithoutACgroupHasEnded() {
    node.folder(V2 + "job_1043/step_extern");
    assertStale();
  }

  @Test
  void cgroupVersionOneAndSeveralSlurmdWork() {
    node.folder(V1 + "job_1043/step_extern");
    assertStale();
    node.remove("sys").folder("sys/fs/cgroup/memory/slurm_node1/uid_1000/job_1043/step_extern");
    assertStale();
    node.remove("sys").folder("sys/fs/cgroup/system.slice/node1_slurmstepd.scope/job_1043");
    assertStale();
  }

  @Test
  void aGpuIsFreeAfterItsLastJobEnded() {
    node.folder(V2 + "job_1042/step_extern").folder(V2 + "job_1043").round();
    node.remove(V2 + "job_1042").remove(V2 + "job_1043");
    assertThat(allocated(node.round())).containsExactly("0=0", "1=0");
  }

  @Test
  void withoutSlurmCgroupsNothingIsStale() {
    assertNotStale();
  }

  @Test
  void withoutAnExternStepAJobMayBeBetweenTwoSteps() {
    node.folder(V2 + "job_1043/step_0");
    assertNotStale();
  }

  @Test
  void aPrologWritesBeforeTheCgroupExists() {
    node.folder(V2 + "job_1043/step_extern").age("mapping/0", Duration.ofMinutes(4));
    assertNotStale();
  }

  @Test
  void idsOfOtherSchedulersAreNeverStale() {
    node.folder(V2 + "job_1043/step_extern").write("mapping/0", "ray-7\n").age("mapping/0", LONG);
    assertThat(rows(node.round())).containsExactly("0 job_id=ray-7");
  }
}
