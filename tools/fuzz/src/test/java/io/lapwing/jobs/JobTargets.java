package io.lapwing.jobs;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.fuzz.Scratch;
import io.lapwing.fuzz.Target;
import io.lapwing.jobs.SlurmJobs.JobDetails;
import io.lapwing.linux.ProcessCgroup;
import io.lapwing.metric.LabelText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** GPU allocations from Slurm, the kubelet and procfs. */
public final class JobTargets {

  private static final String RECORDED = "collectors/src/test/resources/io/lapwing/jobs/";
  private static final String GPU = "GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52";
  private static final GpuTable GPUS = new GpuTable(List.of(new JobGpus.Gpu(0, GPU, Map.of())));

  private JobTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofText("process-cgroup", ProcessCgroup::parse).recordings(RECORDED + "cgroup/*"),
        Target.ofBytes("kubelet-checkpoint", JobTargets::checkpoint)
            .recordings(RECORDED + "checkpoint/*"),
        Target.ofText("job-mapping", JobTargets::mapping)
            .seeds(
                "4711\n4712\n", "0", "0.1", GPU, GPU + "::3", "MIG-" + GPU + "/7/0", "nvidia0/gi7"),
        Target.ofBytes("job-environment", JobTargets::environment)
            .seeds(
                "PATH=/bin\u0000SLURM_JOB_ID=7\u0000SLURM_JOB_USER=alice\u0000"
                    + "SLURM_JOB_ACCOUNT=ml\u0000SLURM_JOB_PARTITION=p5\u0000"),
        Target.ofBytes("passwd", JobTargets::users)
            .seeds("root:x:0:0:root:/root:/bin/bash\nalice:x:1000:1000::/home/alice:/bin/sh\n"));
  }

  private static void checkpoint(byte[] input) throws IOException {
    new Checkpoint(Scratch.file("checkpoint", input)).entries();
  }

  private static void mapping(String text) {
    List<String> ids = MappingDirectory.MappingFile.ids(text);
    demand(ids.stream().allMatch(id -> id.length() <= LabelText.MOST), "a label that is too long");
    demand(ids.stream().noneMatch(id -> id.contains("\n")), "a label of two lines");
    MappingDirectory.FileName.parse(text).ifPresent(name -> name.place(GPUS));
    PodAllocations.DeviceId.place(text, GPUS);
  }

  private static void environment(byte[] input) {
    JobDetails details = JobDetails.ofEnvironment(input, "7");
    demand(details.toString().indexOf('\n') < 0, "a label of two lines");
  }

  private static void users(byte[] input) throws IOException {
    Path passwd = Scratch.file("root/etc/passwd", input);
    UserNames names = new UserNames(passwd.resolveSibling(".."));
    names.of("1000");
    names.of(new String(input, 0, Math.min(9, input.length), StandardCharsets.UTF_8));
  }
}
