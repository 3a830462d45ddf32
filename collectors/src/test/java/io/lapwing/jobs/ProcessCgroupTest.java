package io.lapwing.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.linux.ProcessCgroup;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ProcessCgroupTest {

  private static final String POD = JobNode.POD;
  private static final String CONTAINER =
      "4f0c2a9d7b1e6835f4a0c9e2d1b7a6f5c4e3d2b1a0f9e8d7c6b5a4f3e2d1c0b9";

  private static ProcessCgroup of(String name) {
    return ProcessCgroup.parse(
        new String(JobNode.resource("cgroup/" + name), StandardCharsets.UTF_8));
  }

  @Test
  void everySlurmCgroupHasTheJobId() {
    List<String> forms =
        List.of(
            "slurm-v2",
            "slurm-v2-batch",
            "slurm-v2-extern",
            "slurm-v2-multi-slurmd",
            "slurm-v1",
            "slurm-v1-multi-slurmd",
            "slurm-in-pod");
    assertThat(forms).allSatisfy(form -> assertThat(of(form).jobId()).hasValue("1042"));
    assertThat(of("slurm-v1").owner()).hasValue("1000");
    assertThat(of("slurm-v1-multi-slurmd").owner()).hasValue("1000");
    assertThat(of("slurm-v2").owner()).isEmpty();
  }

  @Test
  void everyCgroupDriverAndRuntimeHasPodAndContainer() {
    List<String> forms =
        List.of(
            "kubepods-systemd-burstable",
            "kubepods-systemd-guaranteed",
            "kubepods-systemd-nested",
            "kubepods-crio",
            "kubepods-docker",
            "kubepods-cgroupfs",
            "kubepods-cgroupfs-mixed",
            "kubepods-from-within",
            "slurm-in-pod");
    assertThat(forms)
        .allSatisfy(
            form -> {
              assertThat(of(form).podUid()).hasValue(POD);
              assertThat(of(form).containerId()).hasValue(CONTAINER);
              assertThat(of(form).hidden()).isFalse();
            });
    assertThat(of("kubepods-static").podUid()).hasValue("0123456789abcdef0123456789abcdef");
  }

  @Test
  void aContainerWithoutAPodIsRecognized() {
    assertThat(List.of("docker-systemd", "docker-cgroupfs"))
        .allSatisfy(
            form -> {
              assertThat(of(form).podUid()).isEmpty();
              assertThat(of(form).containerId()).hasValue(CONTAINER);
            });
  }

  @Test
  void aProcessOutsideOfTheNamespaceIsHidden() {
    assertThat(of("hidden").hidden()).isTrue();
    assertThat(of("user"))
        .isEqualTo(ProcessCgroup.parse(""))
        .satisfies(plain -> assertThat(plain.hidden()).isFalse());
  }

  @Test
  void aUserFolderThatLooksLikeAJobIsIgnored() {
    assertThat(ProcessCgroup.parse("0::/user.slice/job_1042/step_0\n").jobId()).isEmpty();
    assertThat(ProcessCgroup.parse("0::/system.slice/slurmd.service/job_1042\n").jobId()).isEmpty();
    assertThat(ProcessCgroup.parse("0::/kubepods/podlife/abc\n").podUid()).isEmpty();
  }

  @Test
  void aCgroupBelowASessionIsNobodysButTheUsers() {
    String session = "user.slice/user-1000.slice/user@1000.service/app.slice/";
    String job = "slurmstepd.scope/job_4711/step_0/user/task_0";
    String pod = "kubepods.slice/kubepods-pod" + POD.replace('-', '_') + ".slice";
    String legacy = "slurm/uid_0/job_4711/step_0";
    for (String forged :
        List.of(
            session + job,
            session + "system.slice/" + job,
            session + legacy,
            session + pod,
            "system.slice/docker-" + CONTAINER + ".scope/" + pod,
            "system.slice/my.service/" + job,
            "user.slice/" + legacy,
            "job_4711",
            "slurm/job_4711",
            pod + "/" + CONTAINER + "/x/system.slice/" + job)) {
      for (String root : List.of("0::/", "0::/../../../", "4:memory:/")) {
        ProcessCgroup cgroup = ProcessCgroup.parse(root + forged + "\n");
        assertThat(cgroup.jobId()).as(root + forged).isEmpty();
        assertThat(cgroup.owner()).as(root + forged).isEmpty();
        assertThat(cgroup.podUid().isPresent())
            .as(root + forged)
            .isEqualTo(forged.startsWith("kubepods"));
      }
    }
  }

  @Test
  void anAgentInAContainerSeesPathsRelativeToItsOwn() {
    assertThat(ProcessCgroup.parse("0::/../../../../system.slice/slurmstepd.scope/job_7/x").jobId())
        .hasValue("7");
    assertThat(ProcessCgroup.parse("0::/../slurmstepd.scope/job_7/step_0").jobId()).hasValue("7");
    assertThat(ProcessCgroup.parse("0::/slurmstepd.scope/job_7/step_0").jobId()).isEmpty();
    assertThat(ProcessCgroup.parse("0::/../../../besteffort/pod" + POD + "/x").podUid())
        .hasValue(POD);
  }

  @Provide
  Arbitrary<String> paths() {
    return Arbitraries.of(
            "/",
            ":",
            "\n",
            "0::",
            "job_1",
            "job_",
            "slurm",
            "slurmstepd.scope",
            "uid_",
            "pod",
            POD,
            "kubepods",
            ".slice",
            "..",
            CONTAINER,
            ".scope",
            "-",
            "\0",
            "é",
            "\ud800")
        .list()
        .ofMaxSize(40)
        .map(words -> String.join("", words));
  }

  @Property
  void anyTextIsParsed(@ForAll @From("paths") String text) {
    ProcessCgroup cgroup = ProcessCgroup.parse(text);
    assertThat(cgroup.jobId().orElse("1")).containsOnlyDigits();
    assertThat(cgroup.podUid().orElse(POD)).matches("[0-9a-f-]{32,36}");
    assertThat(cgroup.containerId().orElse(CONTAINER)).hasSize(64);
  }

  @Property
  void anyCgroupTextIsParsed(@ForAll String text) {
    assertThat(ProcessCgroup.parse(text)).isNotNull();
  }
}
