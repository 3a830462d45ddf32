package io.lapwing.nccl;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.collect.SampleSink;
import io.lapwing.fuzz.Target;
import io.lapwing.linux.ProcFs;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Output of NCCL's RAS service and inspector, from any user's process. */
public final class NcclTargets {

  private static final String REPLY =
      """
      {"nccl_version": "2.29.1", "cuda_runtime_version": 13000, "communicators_count": 1,
       "communicators": [{"hash": "0xe94423cfbb2ef4a", "secondary_hash": "0xb7e71874:0xb8",
         "size": 2, "ranks_count": 1, "missing_ranks_count": 1,
         "ranks": [{"rank": 0, "host": "127.0.0.1", "pid": 1000, "cuda_dev": 0, "nvml_dev": 3,
           "status": {"init_state": 0, "async_error": 0, "finalize_called": false,
             "destroy_flag": false, "abort_flag": false},
           "collective_counts": {"Broadcast": 0, "AllReduce": 5}}],
         "missing_ranks": [{"rank": 1, "host": "::1", "pid": 7, "considered_dead": true}]}],
       "ras": {"collection_time_sec": 0.25, "timeouts_count": 0}}
      """;

  private NcclTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofBytes("nccl-ras", NcclTargets::reply).seeds(REPLY),
        Target.ofBytes("nccl-inspector", NcclTargets::inspector)
            .seeds(
                "nccl_bus_bandwidth_gbs{version=\"v5.1\",slurm_job_id=\"17\",node=\"n1\","
                    + "gpu=\"GPU0\",comm_name=\"DP Group 0\",n_nodes=\"1\",nranks=\"4\","
                    + "collective=\"AllReduce\",message_size=\"4-5GB\",algo_proto=\"Ring_ll\"}"
                    + " 678.263\n"),
        Target.ofText("host-address", LocalProcesses.HostAddress::parse)
            .seeds("10.0.0.1", "fe80::1%eth0", "::ffff:10.0.0.1", "1:2:3:4:5:6:7:8"));
  }

  private static void reply(byte[] input) {
    try {
      RasReply reply =
          RasReplyReader.read(
              new ByteArrayInputStream(input),
              new LocalProcesses(
                  new ProcFs(Path.of("/nowhere")),
                  Set.of(InetAddress.getLoopbackAddress()),
                  Set.of()));
      demand(reply.communicators().size() <= 4096, "communicators without end");
    } catch (RasFailure declared) {
      declared.reason();
    }
  }

  private static void inspector(byte[] input) {
    InspectorText text = new InspectorText(Labels.of("gpu", "0"));
    text.read(input);
    text.read(input);
    int[] series = {0};
    text.put(
        new SampleSink() {
          @Override
          public void add(Metric metric, Labels labels, double value) {
            series[0]++;
            demand(value > 0, "a bandwidth of nothing");
          }

          @Override
          public void failed(String question, String reason) {}
        });
    demand(series[0] <= InspectorText.MAX_SERIES, "series without end");
  }
}
