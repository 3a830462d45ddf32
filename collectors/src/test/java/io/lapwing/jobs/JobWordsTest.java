package io.lapwing.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.jobs.GpuTable.GpuPlace;
import io.lapwing.jobs.SlurmJobs.JobDetails;
import io.lapwing.metric.LabelText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Parsers of file names, device ids, job ids and environments. */
class JobWordsTest {

  private static final GpuTable GPUS =
      new GpuTable(
          List.of(
              JobGpus.Gpu.whole(0, JobNode.GPU0),
              new JobGpus.Gpu(
                  1, "2", JobNode.GPU1, Map.of("MIG-2c4d8e11-5f0a-5d5b-9a8e-0d6c1f2b3a44", 7))));

  private static JobDetails environment(String... words) {
    return JobDetails.ofEnvironment(
        (String.join("\0", words) + "\0").getBytes(StandardCharsets.UTF_8), "7");
  }

  private static String place(String id) {
    return PodAllocations.DeviceId.place(id, GPUS).map(GpuPlace::toString).orElse("none");
  }

  private static String complete(String uuid) {
    return GpuPlace.whole(uuid).toString();
  }

  @Test
  void aFileNameDenotesAGpuOrASlice() {
    assertThat(MappingDirectory.FileName.parse("3"))
        .hasValue(new MappingDirectory.FileName(3, OptionalInt.empty()));
    assertThat(MappingDirectory.FileName.parse("3.11"))
        .hasValue(new MappingDirectory.FileName(3, OptionalInt.of(11)));
    for (String other : new String[] {"", ".", "3.", ".1", "3.1.1", "-1", "3~", ".3.tmp", "٣"}) {
      assertThat(MappingDirectory.FileName.parse(other)).as(other).isEmpty();
    }
  }

  @Test
  void eachLineIsAJobId() {
    assertThat(MappingDirectory.MappingFile.ids("1042\n1043\n")).containsExactly("1042", "1043");
    assertThat(MappingDirectory.MappingFile.ids(" 1042 \r\n\n1042\nthe job_7"))
        .containsExactly("1042", "the job_7");
    assertThat(MappingDirectory.MappingFile.ids("\n \n")).isEmpty();
  }

  @Test
  void devicesAreFoundByEachOfTheirNames() {
    assertThat(place(JobNode.GPU0)).isEqualTo(complete(JobNode.GPU0));
    assertThat(place(JobNode.GPU0 + "::3")).isEqualTo(complete(JobNode.GPU0));
    assertThat(place("nvidia2")).as("by its minor number").isEqualTo(complete(JobNode.GPU1));
    assertThat(place("nvidia1")).as("its index").isEqualTo("none");
    assertThat(place("nvidia2/vgpu4")).isEqualTo(complete(JobNode.GPU1));
    String slice = new GpuPlace(JobNode.GPU1, "7").toString();
    assertThat(place("nvidia2/gi7")).isEqualTo(slice);
    assertThat(place("nvidia2/gi7/vgpu0")).isEqualTo(slice);
    assertThat(place("MIG-2c4d8e11-5f0a-5d5b-9a8e-0d6c1f2b3a44")).isEqualTo(slice);
    assertThat(place("MIG-2c4d8e11-5f0a-5d5b-9a8e-0d6c1f2b3a44::1")).isEqualTo(slice);
    assertThat(place("MIG-" + JobNode.GPU1 + "/7/0")).isEqualTo(slice);
  }

  @Test
  void aClaimNamesAGpuByANumberThatIsBothItsMinorAndItsIndex() {
    assertThat(place("gpu-0")).isEqualTo(complete(JobNode.GPU0));
    assertThat(place("gpu-1"))
        .as("the minor number of a GPU that has another index")
        .isEqualTo("none");
    assertThat(place("gpu-2")).isEqualTo("none");
    assertThat(place("gpu-0-mig-1g10gb-19-0")).isEqualTo("none");
  }

  @Test
  void anUnknownDeviceIsNotFound() {
    for (String other :
        new String[] {"", "nvidia9", "tegra", "GPU-", "MIG-2c4d8e11-5f0a-5d5b-9a8e-0d6c1f2b3a45"}) {
      assertThat(place(other)).as(other).isEqualTo("none");
    }
  }

  @Test
  void theEnvironmentHasNameUserAccountAndPartition() {
    assertThat(
            environment(
                "PATH=/bin",
                "SLURM_JOB_ID=7",
                "SLURM_JOB_NAME=llama 70b\n\"x\"",
                "SLURM_JOB_USER=ada",
                "SLURM_JOB_ACCOUNT=physics",
                "SLURM_JOB_PARTITION=h100"))
        .isEqualTo(new JobDetails(LabelText.clean("llama 70b\n\"x\""), "ada", "physics", "h100"));
  }

  @Test
  void theNameOfAJobIsTheUsersTextAndIsBounded() {
    JobDetails job = environment("SLURM_JOB_ID=7", "SLURM_JOB_NAME=" + "n".repeat(5_000));

    assertThat(job.name()).isEqualTo("n".repeat(256));
    assertThat(environment("SLURM_JOB_ID=7", "SLURM_JOB_NAME=a\u001b[2Jb").name())
        .doesNotContain("\u001b");
  }

  @Test
  void variablesOfAnotherJobAreIgnored() {
    assertThat(environment("SLURM_JOB_ID=8", "SLURM_JOB_ACCOUNT=physics"))
        .isEqualTo(JobDetails.NONE);
    assertThat(environment("XSLURM_JOB_ACCOUNT=physics", "SLURM_JOB_ACCOUNTS=x", ""))
        .isEqualTo(JobDetails.NONE);
  }

  @Test
  void aTruncatedVariableIsIgnored() {
    byte[] cut = "SLURM_JOB_ACCOUNT=phy".getBytes(StandardCharsets.UTF_8);
    assertThat(JobDetails.ofEnvironment(cut, "7")).isEqualTo(JobDetails.NONE);
  }

  @Property
  void anyBytesAreParsedAsAnEnvironment(@ForAll byte[] bytes) {
    assertThat(JobDetails.ofEnvironment(bytes, "7")).isNotNull();
  }

  @Property
  void anyNameIsParsedAsAFileName(@ForAll String name) {
    assertThat(MappingDirectory.FileName.parse(name)).isNotNull();
    assertThat(PodAllocations.DeviceId.place(name, GPUS)).isNotNull();
    assertThat(MappingDirectory.MappingFile.ids(name)).doesNotContain("");
  }
}
