package io.lapwing.jobs;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.fuzz.Scratch;
import io.lapwing.fuzz.Target;
import io.lapwing.jobs.SlurmJobs.JobDetails;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.ProcessCgroup;
import io.lapwing.metric.LabelText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** GPU allocations from Slurm, the kubelet and procfs. */
public final class JobTargets {

  private static final String RECORDED = "collectors/src/test/resources/io/lapwing/jobs/";
  private static final String GPU = "GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52";
  private static final GpuTable GPUS =
      new GpuTable(List.of(new JobGpus.Gpu(0, "0", GPU, Map.of())));

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
        Target.ofText("process-maps", JobTargets::libraries)
            .seeds(
                """
                7f1c80000000-7f1c80400000 r-xp 00000000 103:05 4194310    /opt/lib/libnccl.so.2
                7f1d80000000-7f1d80400000 rw-p 00000000 00:00 0
                7f1e80000000-7f1e80400000 r--p 00000000 103:05 7  /a b/libefa.so.1 (deleted)
                """),
        Target.ofText("nccl-debug-file", JobTargets::debugFile)
            .seeds(
                """
                x:1:1 [0] NCCL INFO NET/OFI Selected provider is efa, fabric is efa (found 32 nics)
                x:1:1 [0] NCCL INFO Using network AWS Libfabric
                x:1:9 [0] NCCL INFO Channel 00/0 : 7[7] -> 8[0] [send] via NET/Socket/0
                """),
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

  private static void libraries(String text) throws IOException {
    Path maps = Scratch.file("proc/7/maps", text.getBytes(StandardCharsets.UTF_8));
    ProcFs proc = new ProcFs(maps.resolveSibling("../..").normalize());
    Set<String> names = proc.mapped(7, ProcessNetwork::isLibrary).toOptional().orElse(Set.of());
    demand(names.size() <= 64, "too many libraries");
    demand(names.stream().allMatch(ProcessNetwork::isLibrary), "no library");
  }

  private static void debugFile(String text) {
    NcclDebugFile found = NcclDebugFile.parse(text);
    String words = found.network().orElse("") + found.provider().orElse("");
    demand(words.matches("[A-Za-z0-9 _;-]{0,64}"), "more than a name leaves the file");
  }

  private static void users(byte[] input) throws IOException {
    Path passwd = Scratch.file("root/etc/passwd", input);
    UserNames names = new UserNames(passwd.resolveSibling(".."));
    names.of("1000");
    names.of(new String(input, 0, Math.min(9, input.length), StandardCharsets.UTF_8));
  }
}
