package io.lapwing.agent.web;

import io.lapwing.agent.health.HealthMetrics;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.host.HostMetrics;
import io.lapwing.inference.InferenceMetrics;
import io.lapwing.jobs.JobMetrics;
import io.lapwing.lnet.LnetMetrics;
import io.lapwing.lustre.LustreMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.util.List;

/** What a person who looks at one node wants to see move. */
final class LiveTables {

  private static final List<String> RANK = List.of("job_id", "run", "rank", "local_rank", "gpu");

  private static final LiveTable GPUS =
      LiveTable.of(
          "gpus",
          List.of("gpu", "UUID"),
          List.of(
              is(GpuMetrics.UP, "up"),
              text(GpuMetrics.INFO, "name"),
              text(GpuMetrics.INFO, "serial"),
              is(DcgmMetrics.PROF_SM_ACTIVE, "sm_active"),
              is(DcgmMetrics.PROF_PIPE_TENSOR_ACTIVE, "tensor_active"),
              is(DcgmMetrics.PROF_DRAM_ACTIVE, "dram_active"),
              is(DcgmMetrics.GPU_UTIL, "utilization_percent"),
              is(DcgmMetrics.GPU_TEMP, "celsius"),
              is(DcgmMetrics.MEMORY_TEMP, "memory_celsius"),
              is(DcgmMetrics.GPU_TEMP_LIMIT, "celsius_to_slowdown"),
              is(DcgmMetrics.POWER_USAGE, "watts"),
              is(DcgmMetrics.ENFORCED_POWER_LIMIT, "watts_limit"),
              is(DcgmMetrics.SM_CLOCK, "sm_megahertz"),
              is(DcgmMetrics.MAX_SM_CLOCK, "sm_megahertz_max"),
              is(DcgmMetrics.FB_USED, "memory_used_mebibytes"),
              is(DcgmMetrics.FB_TOTAL, "memory_mebibytes"),
              is(DcgmMetrics.ECC_DBE_VOL_TOTAL, "ecc_uncorrectable"),
              is(DcgmMetrics.ECC_SBE_VOL_TOTAL, "ecc_correctable"),
              is(DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS, "rows_remapped_uncorrectable"),
              is(DcgmMetrics.CORRECTABLE_REMAPPED_ROWS, "rows_remapped_correctable"),
              is(DcgmMetrics.ROW_REMAP_PENDING, "row_remap_pending"),
              is(DcgmMetrics.ROW_REMAP_FAILURE, "row_remap_failure"),
              is(GpuMetrics.NVLINKS_UP, "nvlinks_up"),
              is(GpuMetrics.NVLINKS, "nvlinks"),
              is(JobMetrics.ALLOCATED, "allocated"),
              text(JobMetrics.JOB_INFO, "job_id"),
              text(JobMetrics.JOB_INFO, "user"),
              text(JobMetrics.JOB_INFO, "pod"),
              by(GpuMetrics.CLOCK_EVENT_ACTIVE, "clock_events", "reason"),
              by(GpuMetrics.XID_ERRORS, "xids", "xid")));

  private static final LiveTable EFA =
      LiveTable.of(
          "efa",
          List.of("device"),
          List.of(
              is(EfaMetrics.UP, "up"),
              text(EfaMetrics.INFO, "nearest_gpus"),
              is(EfaMetrics.RATE, "rate_bytes_per_second"),
              is(EfaMetrics.TX_BYTES, "tx_bytes"),
              is(EfaMetrics.RX_BYTES, "rx_bytes"),
              is(EfaMetrics.TX_PACKETS, "tx_packets"),
              is(EfaMetrics.RETRANSMITTED_PACKETS, "retransmitted_packets"),
              is(EfaMetrics.RETRANSMIT_TIMEOUTS, "timeouts"),
              is(EfaMetrics.RX_DROPS, "rx_drops"),
              is(EfaMetrics.UNRESPONSIVE_PEERS, "unresponsive_peers")));

  private static final LiveTable FILE_SYSTEMS =
      LiveTable.of(
          "lustre",
          List.of("fs"),
          List.of(
              is(LustreMetrics.READ_BYTES, "read_bytes"),
              is(LustreMetrics.WRITE_BYTES, "written_bytes"),
              is(LustreMetrics.SIZE, "size_bytes"),
              is(LustreMetrics.AVAILABLE, "available_bytes"),
              is(LustreMetrics.TARGETS, "targets")));

  private static final LiveTable TARGETS =
      LiveTable.of(
          "lustre_targets",
          List.of("fs", "target"),
          List.of(
              is(LustreMetrics.CONNECTED, "connected"),
              text(LustreMetrics.STATE, "state"),
              is(LustreMetrics.IN_FLIGHT, "rpcs_in_flight"),
              is(LustreMetrics.IN_FLIGHT_LIMIT, "rpcs_in_flight_limit"),
              is(LustreMetrics.RPCS, "rpcs"),
              is(LustreMetrics.RPC_WAIT, "rpc_wait_seconds"),
              is(LustreMetrics.RPC_TIMEOUTS, "rpc_timeouts"),
              is(LustreMetrics.EVICTIONS, "evictions")));

  private static final LiveTable LNET =
      LiveTable.of(
          "lnet",
          List.of("nid"),
          List.of(
              is(LnetMetrics.NI_UP, "up"),
              is(LnetMetrics.NI_TX_CREDITS, "tx_credits"),
              is(LnetMetrics.NI_TX_CREDITS_MIN, "tx_credits_min")));

  private static final LiveTable TRAINING =
      LiveTable.of(
          "training",
          RANK,
          List.of(
              is(TrainingMetrics.LAST_STEP, "step"),
              is(TrainingMetrics.LAST_STEP_TIME, "step_ended"),
              is(TrainingMetrics.USUAL_STEP, "usual_step_seconds"),
              is(TrainingMetrics.STEPS, "steps"),
              is(TrainingMetrics.STEP_SECONDS, "step_seconds"),
              is(TrainingMetrics.COMPUTE_SECONDS, "compute_seconds"),
              is(TrainingMetrics.DATA_WAIT_SECONDS, "input_wait_seconds"),
              is(TrainingMetrics.COMMUNICATION_WAIT_SECONDS, "communication_wait_seconds"),
              is(TrainingMetrics.CHECKPOINT_SECONDS, "checkpoint_seconds"),
              is(TrainingMetrics.TOKENS_PER_SECOND, "tokens_per_second"),
              is(TrainingMetrics.MFU, "mfu"),
              is(TrainingMetrics.LOSS, "loss"),
              text(TrainingMetrics.PHASE, "phase"),
              by(HealthMetrics.TRAINING_LOST, "lost_seconds", "cause")));

  private static final LiveTable INFERENCE =
      LiveTable.of(
          "inference",
          List.of("engine", "address"),
          List.of(
              is(InferenceMetrics.UP, "up"),
              text(InferenceMetrics.RUNNING, "model"),
              is(InferenceMetrics.RUNNING, "requests_running"),
              is(InferenceMetrics.WAITING, "requests_waiting"),
              is(InferenceMetrics.KV_CACHE_USAGE, "kv_cache_usage"),
              is(InferenceMetrics.GENERATION_TOKENS, "generated_tokens"),
              is(InferenceMetrics.REQUESTS_FINISHED, "requests_finished"),
              is(InferenceMetrics.TIME_TO_FIRST_TOKEN.sum(), "first_token_seconds"),
              is(InferenceMetrics.TIME_TO_FIRST_TOKEN.count(), "first_tokens")));

  private static final LiveTable HOST =
      LiveTable.of(
          "host", List.of("resource", "tasks"), List.of(is(HostMetrics.PRESSURE, "seconds")));

  static final List<LiveTable> ALL =
      List.of(GPUS, EFA, FILE_SYSTEMS, TARGETS, LNET, TRAINING, INFERENCE, HOST);

  private LiveTables() {}

  private static Column is(Metric metric, String name) {
    return new Column.Value(metric, name);
  }

  private static Column text(Metric metric, String label) {
    return new Column.Text(metric, label, label);
  }

  private static Column by(Metric metric, String name, String label) {
    return new Column.By(metric, name, label);
  }
}
