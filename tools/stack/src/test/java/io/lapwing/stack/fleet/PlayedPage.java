package io.lapwing.stack.fleet;

import java.time.Duration;

/** A small recorded response and responses played from it. */
final class PlayedPage {

  static final String FIRST =
      """
      # HELP lapwing_node_info What this node is.
      # TYPE lapwing_node_info gauge
      lapwing_node_info{hostname="recorded-node",instance_id="i-0123456789abcdef0"} 1
      # HELP lapwing_gpu_info What this GPU is.
      # TYPE lapwing_gpu_info gauge
      lapwing_gpu_info{gpu="0",UUID="GPU-da8deb50-51a7-4ed0-8000-5eed00000000",serial="1650022000000"} 1
      # HELP DCGM_FI_DEV_GPU_TEMP GPU temperature (in C).
      # TYPE DCGM_FI_DEV_GPU_TEMP gauge
      DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-da8deb50-51a7-4ed0-8000-5eed00000000"} 53
      # HELP lapwing_gpu_sm_active_seconds_total Time with work.
      # TYPE lapwing_gpu_sm_active_seconds_total counter
      lapwing_gpu_sm_active_seconds_total{gpu="0",UUID="GPU-da8deb50-51a7-4ed0-8000-5eed00000000"} 40.5
      # HELP lapwing_training_steps_total Steps that ended.
      # TYPE lapwing_training_steps_total counter
      lapwing_training_steps_total{job_id="4711",run="a} b",rank="3",local_rank="3"} 100
      # HELP lapwing_training_info What this rank is.
      # TYPE lapwing_training_info gauge
      lapwing_training_info{job_id="4711",rank="3",world_size="8",dp_rank="3",dp_size="8"} 1
      # HELP lapwing_health_evaluation_timestamp_seconds Time of the last evaluation of the health rules.
      # TYPE lapwing_health_evaluation_timestamp_seconds gauge
      lapwing_health_evaluation_timestamp_seconds 1.79527E9
      """;

  static final String SECOND =
      FIRST
          .replace("} 53", "} 57")
          .replace("} 40.5", "} 90.5")
          .replace("} 100", "} 220")
          .replace("1.79527E9", "1.79527006E9");

  /** Recorded a minute apart. */
  static final PageTemplate TEMPLATE =
      PageTemplate.of(
          RecordedPage.parse(FIRST), RecordedPage.parse(SECOND), Duration.ofSeconds(60));

  private PlayedPage() {}

  static RecordedPage at(PlayedNode node, double seconds) {
    return RecordedPage.parse(TEMPLATE.page(node, seconds).toString());
  }
}
