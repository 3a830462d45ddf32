package io.lapwing.agent.web;

import io.lapwing.agent.health.HealthMetrics;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.gpu.MigMetrics;
import io.lapwing.host.HostMetrics;
import io.lapwing.inference.InferenceMetrics;
import io.lapwing.jobs.JobMetrics;
import io.lapwing.lnet.LnetMetrics;
import io.lapwing.lustre.LustreMetrics;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Series;
import io.lapwing.training.TrainingMetrics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The arrays of {@code /api/v1/live} and the metrics behind their members. */
final class LiveTables {

  private static final List<String> RANK = List.of("job_id", "run", "rank", "local_rank", "gpu");

  private static final LiveTable GPUS =
      LiveTable.of(
          "gpus",
          List.of("gpu", "UUID"),
          List.of(
              value(GpuMetrics.UP, "up"),
              text(GpuMetrics.INFO, "name"),
              text(GpuMetrics.INFO, "serial"),
              value(DcgmMetrics.PROF_SM_ACTIVE, "sm_active"),
              value(DcgmMetrics.PROF_PIPE_TENSOR_ACTIVE, "tensor_active"),
              value(DcgmMetrics.PROF_DRAM_ACTIVE, "dram_active"),
              value(DcgmMetrics.GPU_UTIL, "utilization_percent"),
              value(DcgmMetrics.GPU_TEMP, "celsius"),
              value(DcgmMetrics.MEMORY_TEMP, "memory_celsius"),
              value(DcgmMetrics.GPU_TEMP_LIMIT, "celsius_to_slowdown"),
              value(DcgmMetrics.POWER_USAGE, "watts"),
              value(DcgmMetrics.ENFORCED_POWER_LIMIT, "watts_limit"),
              value(DcgmMetrics.SM_CLOCK, "sm_megahertz"),
              value(DcgmMetrics.MAX_SM_CLOCK, "sm_megahertz_max"),
              value(DcgmMetrics.FB_USED, "memory_used_mebibytes"),
              value(DcgmMetrics.FB_TOTAL, "memory_mebibytes"),
              value(DcgmMetrics.ECC_DBE_VOL_TOTAL, "ecc_uncorrectable"),
              value(DcgmMetrics.ECC_SBE_VOL_TOTAL, "ecc_correctable"),
              value(DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS, "rows_remapped_uncorrectable"),
              value(DcgmMetrics.CORRECTABLE_REMAPPED_ROWS, "rows_remapped_correctable"),
              value(DcgmMetrics.ROW_REMAP_PENDING, "row_remap_pending"),
              value(DcgmMetrics.ROW_REMAP_FAILURE, "row_remap_failure"),
              value(GpuMetrics.NVLINKS_UP, "nvlinks_up"),
              value(GpuMetrics.NVLINKS, "nvlinks"),
              value(JobMetrics.ALLOCATED, "allocated"),
              job("job_id"),
              job("job_name"),
              job("user"),
              job("pod"),
              by(GpuMetrics.CLOCK_EVENT_ACTIVE, "clock_events", "reason"),
              by(GpuMetrics.XID_ERRORS, "xids", "xid")));

  /** The MIG instances: those that NVML lists have a profile. */
  static final LiveTable INSTANCES =
      LiveTable.of(
          "gpu_instances",
          List.of("gpu", "UUID", MigMetrics.ID),
          List.of(
              text(MigMetrics.INFO, MigMetrics.PROFILE),
              text(MigMetrics.INFO, "mig_uuid"),
              value(DcgmMetrics.PROF_SM_ACTIVE, "sm_active"),
              value(DcgmMetrics.PROF_PIPE_TENSOR_ACTIVE, "tensor_active"),
              value(DcgmMetrics.PROF_DRAM_ACTIVE, "dram_active"),
              value(DcgmMetrics.FB_USED, "memory_used_mebibytes"),
              value(DcgmMetrics.FB_TOTAL, "memory_mebibytes"),
              value(JobMetrics.INSTANCE_ALLOCATED, "allocated"),
              job("job_id"),
              job("job_name"),
              job("user"),
              job("pod")));

  private static final LiveTable JOB_SOURCES =
      LiveTable.of("job_sources", List.of("source"), List.of(value(JobMetrics.SOURCES, "up")));

  static final LiveTable EFA =
      LiveTable.of(
          "efa",
          List.of("device"),
          List.of(
              value(EfaMetrics.UP, "up"),
              text(EfaMetrics.INFO, "nearest_gpus"),
              value(EfaMetrics.RATE, "rate_bytes_per_second"),
              value(EfaMetrics.TX_BYTES, "tx_bytes"),
              value(EfaMetrics.RX_BYTES, "rx_bytes"),
              value(EfaMetrics.TX_PACKETS, "tx_packets"),
              value(EfaMetrics.RETRANSMITTED_PACKETS, "retransmitted_packets"),
              value(EfaMetrics.RETRANSMIT_TIMEOUTS, "timeouts"),
              value(EfaMetrics.RX_DROPS, "rx_drops"),
              value(EfaMetrics.UNRESPONSIVE_PEERS, "unresponsive_peers")));

  private static final LiveTable FILE_SYSTEMS =
      LiveTable.of(
          "lustre",
          List.of("fs"),
          List.of(
              value(LustreMetrics.READ_BYTES, "read_bytes"),
              value(LustreMetrics.WRITE_BYTES, "written_bytes"),
              value(LustreMetrics.SIZE, "size_bytes"),
              value(LustreMetrics.AVAILABLE, "available_bytes"),
              value(LustreMetrics.TARGETS, "targets")));

  private static final LiveTable TARGETS =
      LiveTable.of(
          "lustre_targets",
          List.of("fs", "target"),
          List.of(
              value(LustreMetrics.CONNECTED, "connected"),
              text(LustreMetrics.STATE, "state"),
              value(LustreMetrics.IN_FLIGHT, "rpcs_in_flight"),
              value(LustreMetrics.IN_FLIGHT_LIMIT, "rpcs_in_flight_limit"),
              value(LustreMetrics.RPCS, "rpcs"),
              value(LustreMetrics.RPC_WAIT, "rpc_wait_seconds"),
              value(LustreMetrics.RPC_TIMEOUTS, "rpc_timeouts"),
              value(LustreMetrics.EVICTIONS, "evictions")));

  private static final LiveTable LNET =
      LiveTable.of(
          "lnet",
          List.of("nid"),
          List.of(
              value(LnetMetrics.NI_UP, "up"),
              value(LnetMetrics.NI_TX_CREDITS, "tx_credits"),
              value(LnetMetrics.NI_TX_CREDITS_MIN, "tx_credits_min")));

  static final LiveTable TRAINING =
      LiveTable.of(
          "training",
          RANK,
          List.of(
              value(TrainingMetrics.VERIFIED, "verified"),
              text(TrainingMetrics.INFO, "GPU_I_ID"),
              text(TrainingMetrics.POD, "pod_uid"),
              value(TrainingMetrics.LAST_STEP, "step"),
              value(TrainingMetrics.LAST_STEP_TIME, "step_ended"),
              value(TrainingMetrics.USUAL_STEP, "usual_step_seconds"),
              value(TrainingMetrics.STEPS, "steps"),
              value(TrainingMetrics.STEP_SECONDS, "step_seconds"),
              value(TrainingMetrics.COMPUTE_SECONDS, "compute_seconds"),
              value(TrainingMetrics.DATA_WAIT_SECONDS, "input_wait_seconds"),
              value(TrainingMetrics.COMMUNICATION_WAIT_SECONDS, "communication_wait_seconds"),
              value(TrainingMetrics.CHECKPOINT_SECONDS, "checkpoint_seconds"),
              value(TrainingMetrics.LAST_CHECKPOINT, "checkpoint_step"),
              value(TrainingMetrics.LAST_CHECKPOINT_TIME, "checkpoint_durable"),
              text(TrainingMetrics.LAST_CHECKPOINT_TIME, "reporter"),
              value(TrainingMetrics.UNSAVED_SINCE, "unsaved_since"),
              value(TrainingMetrics.TOKENS_PER_SECOND, "tokens_per_second"),
              value(TrainingMetrics.MFU, "mfu"),
              value(TrainingMetrics.LOSS, "loss"),
              text(TrainingMetrics.PHASE, "phase"),
              by(HealthMetrics.TRAINING_LOST, "lost_seconds", "cause")));

  private static final LiveTable INFERENCE =
      LiveTable.of(
          "inference",
          List.of("engine", "address"),
          List.of(
              value(InferenceMetrics.UP, "up"),
              text(InferenceMetrics.RUNNING, "model"),
              value(InferenceMetrics.RUNNING, "requests_running"),
              value(InferenceMetrics.WAITING, "requests_waiting"),
              value(InferenceMetrics.KV_CACHE_USAGE, "kv_cache_usage"),
              value(InferenceMetrics.GENERATION_TOKENS, "generated_tokens"),
              value(InferenceMetrics.REQUEST_DURATION.count(), "requests_finished"),
              value(InferenceMetrics.TIME_TO_FIRST_TOKEN.sum(), "first_token_seconds"),
              value(InferenceMetrics.TIME_TO_FIRST_TOKEN.count(), "first_tokens")));

  private static final LiveTable HOST =
      LiveTable.of(
          "host", List.of("resource", "tasks"), List.of(value(HostMetrics.PRESSURE, "seconds")));

  static final List<LiveTable> ALL =
      List.of(
          GPUS,
          INSTANCES,
          JOB_SOURCES,
          EFA,
          FILE_SYSTEMS,
          TARGETS,
          LNET,
          TRAINING,
          INFERENCE,
          HOST);

  private LiveTables() {}

  private static LiveTable.Column value(Metric metric, String name) {
    return new LiveTable.Column.Value(metric, name);
  }

  private static LiveTable.Column text(Metric metric, String label) {
    return new LiveTable.Column.Text(metric, label, label);
  }

  private static LiveTable.Column job(String label) {
    return text(JobMetrics.JOB_INFO, label);
  }

  private static LiveTable.Column by(Metric metric, String name, String label) {
    return new LiveTable.Column.By(metric, name, label);
  }

  /** An array of {@code /api/v1/live}: key labels of a row, columns by sample name. */
  record LiveTable(String name, List<String> keys, Map<String, List<Column>> columns) {

    static LiveTable of(String name, List<String> keys, List<Column> columns) {
      Map<String, List<Column>> bySample = new HashMap<>();
      for (Column column : columns) {
        bySample
            .computeIfAbsent(column.metric().sampleName(), first -> new ArrayList<>())
            .add(column);
      }
      return new LiveTable(name, keys, bySample);
    }

    List<Column> columns(Series series) {
      return columns.getOrDefault(series.metric().sampleName(), List.of());
    }

    /**
     * The row of a series; empty if it lacks a label, for example removed by a field file. A value
     * of a MIG instance has no row among the GPUs, nor has the job of a whole GPU among the
     * instances; the job of an instance has one in both.
     */
    Optional<List<String>> key(Labels labels) {
      if (labels.names().contains(MigMetrics.PROFILE) && !keys.contains(MigMetrics.ID)) {
        return Optional.empty();
      }
      List<String> values = new ArrayList<>(keys.size());
      for (String key : keys) {
        int at = labels.names().indexOf(key);
        if (at < 0 || (key.equals(MigMetrics.ID) && labels.values().get(at).isEmpty())) {
          return Optional.empty();
        }
        values.add(labels.values().get(at));
      }
      return Optional.of(values);
    }

    /** How the series of one family appear in a row. */
    sealed interface Column {

      Metric metric();

      String name();

      record Value(Metric metric, String name) implements Column {}

      /** An object of non-zero numbers by the value of a label. */
      record By(Metric metric, String name, String label) implements Column {}

      /** The label values of the non-zero series, separated by commas. */
      record Text(Metric metric, String name, String label) implements Column {}
    }
  }
}
