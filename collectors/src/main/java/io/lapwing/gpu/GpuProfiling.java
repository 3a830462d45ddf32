package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.GpmMetric;
import io.lapwing.nvml.GpmValues;
import io.lapwing.nvml.MigDevice;
import io.lapwing.nvml.NvmlField;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Averages of the performance counters since the previous sample: of Hopper and newer by GPM, of
 * others by DCGM, if it is used. A GPU that is divided by MIG has them for each instance; PCIe,
 * NVLink and C2C are the GPU's.
 *
 * <pre>
 * DCGM_FI_PROF_SM_ACTIVE 0.93                          GPM metric 2
 * DCGM_FI_PROF_PIPE_TENSOR_ACTIVE 0.61                 GPM metric 5, and so on
 * DCGM_FI_PROF_PCIE_TX_BYTES 1.2e+09                   GPM metric 20, bytes/s
 * DCGM_FI_PROF_C2C_TX_ALL_BYTES 4.1e+10                GPM metric 100, only with a C2C link
 * lapwing_gpu_sm_active_seconds_total 10234.5          the ratio integrated over time
 * lapwing_gpu_pcie_tx_bytes_total 1.2e+12              GPM metric 20 integrated over time; rx: 21
 * DCGM_FI_PROF_SM_ACTIVE{...,GPU_I_PROFILE="1g.10gb",GPU_I_ID="7",...} 0.93     nvmlGpmMigSampleGet
 * lapwing_gpu_instance_sm_active_seconds_total{...} 10234.5
 * lapwing_gpu_gpm_supported 1                          nvmlGpmQueryDeviceSupport
 * lapwing_gpu_activity_info{source="none",reason="dcgm_off"} 1     only without GPM
 * </pre>
 */
final class GpuProfiling extends GpuSubject {

  private static final String INVALID = "invalid_argument";

  private static final Map<GpmMetric, Metric> METRICS =
      new EnumMap<>(
          Map.ofEntries(
              Map.entry(GpmMetric.GRAPHICS_ACTIVE, DcgmMetrics.PROF_GR_ENGINE_ACTIVE),
              Map.entry(GpmMetric.SM_ACTIVE, DcgmMetrics.PROF_SM_ACTIVE),
              Map.entry(GpmMetric.SM_OCCUPANCY, DcgmMetrics.PROF_SM_OCCUPANCY),
              Map.entry(GpmMetric.INTEGER_ACTIVE, DcgmMetrics.PROF_PIPE_INT_ACTIVE),
              Map.entry(GpmMetric.TENSOR_ACTIVE, DcgmMetrics.PROF_PIPE_TENSOR_ACTIVE),
              Map.entry(GpmMetric.DFMA_TENSOR_ACTIVE, DcgmMetrics.PROF_PIPE_TENSOR_DFMA_ACTIVE),
              Map.entry(GpmMetric.HMMA_TENSOR_ACTIVE, DcgmMetrics.PROF_PIPE_TENSOR_HMMA_ACTIVE),
              Map.entry(GpmMetric.IMMA_TENSOR_ACTIVE, DcgmMetrics.PROF_PIPE_TENSOR_IMMA_ACTIVE),
              Map.entry(GpmMetric.DRAM_ACTIVE, DcgmMetrics.PROF_DRAM_ACTIVE),
              Map.entry(GpmMetric.FP64_ACTIVE, DcgmMetrics.PROF_PIPE_FP64_ACTIVE),
              Map.entry(GpmMetric.FP32_ACTIVE, DcgmMetrics.PROF_PIPE_FP32_ACTIVE),
              Map.entry(GpmMetric.FP16_ACTIVE, DcgmMetrics.PROF_PIPE_FP16_ACTIVE),
              Map.entry(GpmMetric.PCIE_TX, DcgmMetrics.PROF_PCIE_TX_BYTES),
              Map.entry(GpmMetric.PCIE_RX, DcgmMetrics.PROF_PCIE_RX_BYTES),
              Map.entry(GpmMetric.NVLINK_TX, DcgmMetrics.PROF_NVLINK_TX_BYTES),
              Map.entry(GpmMetric.NVLINK_RX, DcgmMetrics.PROF_NVLINK_RX_BYTES),
              Map.entry(GpmMetric.C2C_TX, DcgmMetrics.PROF_C2C_TX_ALL_BYTES),
              Map.entry(GpmMetric.C2C_RX, DcgmMetrics.PROF_C2C_RX_ALL_BYTES),
              Map.entry(GpmMetric.NVDEC_0_ACTIVE, DcgmMetrics.PROF_NVDEC0_ACTIVE),
              Map.entry(GpmMetric.NVJPG_0_ACTIVE, DcgmMetrics.PROF_NVJPG0_ACTIVE),
              Map.entry(GpmMetric.NVOFA_0_ACTIVE, DcgmMetrics.PROF_NVOFA0_ACTIVE)));

  /** NVML's own counters of PCIe bytes (fields 197 and 198) have 32 bits. */
  private static final Map<GpmMetric, Metric> INTEGRALS =
      new EnumMap<>(
          Map.of(
              GpmMetric.PCIE_TX, GpuMetrics.PCIE_TX_BYTES,
              GpmMetric.PCIE_RX, GpuMetrics.PCIE_RX_BYTES,
              GpmMetric.SM_ACTIVE, GpuMetrics.SM_ACTIVE_SECONDS,
              GpmMetric.SM_OCCUPANCY, GpuMetrics.SM_OCCUPANCY_SECONDS,
              GpmMetric.TENSOR_ACTIVE, GpuMetrics.TENSOR_ACTIVE_SECONDS,
              GpmMetric.DRAM_ACTIVE, GpuMetrics.DRAM_ACTIVE_SECONDS));

  /**
   * The metrics for GPUs without C2C: a library may refuse all metrics because of an unknown one.
   */
  private static final Set<GpmMetric> WITHOUT_C2C =
      EnumSet.complementOf(EnumSet.of(GpmMetric.C2C_TX, GpmMetric.C2C_RX));

  /** MIG instances share PCIe, NVLink and C2C. */
  private static final Set<GpmMetric> SHARED =
      EnumSet.of(
          GpmMetric.PCIE_TX,
          GpmMetric.PCIE_RX,
          GpmMetric.NVLINK_TX,
          GpmMetric.NVLINK_RX,
          GpmMetric.C2C_TX,
          GpmMetric.C2C_RX);

  private static final Set<Metric> SHARED_FAMILIES =
      SHARED.stream().map(GpuProfiling::familyOf).collect(Collectors.toUnmodifiableSet());

  private static final Set<GpmMetric> OF_INSTANCES = EnumSet.complementOf(EnumSet.copyOf(SHARED));

  private static final Map<GpmMetric, Metric> INTEGRALS_OF_INSTANCES =
      new EnumMap<>(
          Map.of(
              GpmMetric.SM_ACTIVE, MigMetrics.SM_ACTIVE_SECONDS,
              GpmMetric.SM_OCCUPANCY, MigMetrics.SM_OCCUPANCY_SECONDS,
              GpmMetric.TENSOR_ACTIVE, MigMetrics.TENSOR_ACTIVE_SECONDS,
              GpmMetric.DRAM_ACTIVE, MigMetrics.DRAM_ACTIVE_SECONDS));

  /** DCGM has most of these fields on GPUs without GPM. */
  private static final Map<DcgmFieldId, Metric> OF_DCGM = ofDcgm(METRICS);

  private static final Map<DcgmFieldId, Metric> INTEGRALS_OF_DCGM =
      new EnumMap<>(
          Map.of(
              DcgmFieldId.PROF_PCIE_TX_BYTES, GpuMetrics.PCIE_TX_BYTES,
              DcgmFieldId.PROF_PCIE_RX_BYTES, GpuMetrics.PCIE_RX_BYTES,
              DcgmFieldId.PROF_SM_ACTIVE, GpuMetrics.SM_ACTIVE_SECONDS,
              DcgmFieldId.PROF_SM_OCCUPANCY, GpuMetrics.SM_OCCUPANCY_SECONDS,
              DcgmFieldId.PROF_PIPE_TENSOR_ACTIVE, GpuMetrics.TENSOR_ACTIVE_SECONDS,
              DcgmFieldId.PROF_DRAM_ACTIVE, GpuMetrics.DRAM_ACTIVE_SECONDS));

  /** The fields of an instance: DCGM answers the others for the whole GPU. */
  private static final Map<DcgmFieldId, Metric> OF_DCGM_INSTANCES = ofInstances(OF_DCGM);

  private static final Map<DcgmFieldId, Metric> INTEGRALS_OF_DCGM_INSTANCES =
      new EnumMap<>(
          Map.of(
              DcgmFieldId.PROF_SM_ACTIVE, MigMetrics.SM_ACTIVE_SECONDS,
              DcgmFieldId.PROF_SM_OCCUPANCY, MigMetrics.SM_OCCUPANCY_SECONDS,
              DcgmFieldId.PROF_PIPE_TENSOR_ACTIVE, MigMetrics.TENSOR_ACTIVE_SECONDS,
              DcgmFieldId.PROF_DRAM_ACTIVE, MigMetrics.DRAM_ACTIVE_SECONDS));

  /** Seconds, or bytes. */
  private final Map<GpmMetric, Double> sums = new EnumMap<>(GpmMetric.class);

  /** By profile and id: a later instance with the same labels continues the sums. */
  private final Map<List<Object>, Map<GpmMetric, Double>> secondsOfInstances = new HashMap<>();

  /** How long an engine may report the activity of an instance under the id of its successor. */
  private static final Duration LAG = Duration.ofSeconds(30);

  /** The profile of each instance that DCGM is asked for, and since when its id has it. */
  private final Map<Integer, Placed> placed = new HashMap<>();

  private record Placed(String profile, Instant since) {}

  private record Activity(MigInstance instance, GpmValues values) {}

  private final ActivityBoard dcgm;
  private final ActivityBoard dcgmInstances;
  private final MigBoard mig;

  /** Whether a library refused all metrics because of those of C2C. */
  private boolean withoutC2c;

  /** Without DCGM and without MIG. */
  GpuProfiling() {
    this(DcgmBoards.off(), new MigBoard());
  }

  GpuProfiling(DcgmBoards dcgm, MigBoard mig) {
    super(
        "gpu_profiling",
        "SM, tensor, memory and link activity (GPM, or DCGM)",
        Cadence.FAST,
        List.of(NvmlField.C2C_LINK_COUNT.whole()));
    this.dcgm = dcgm.activity();
    this.dcgmInstances = dcgm.instances();
    this.mig = mig;
  }

  private static Map<DcgmFieldId, Metric> ofDcgm(Map<GpmMetric, Metric> families) {
    Map<DcgmFieldId, Metric> fields = new EnumMap<>(DcgmFieldId.class);
    for (DcgmFieldId field : DcgmFieldId.values()) {
      families.values().stream()
          .filter(family -> family.name().equals(field.title()))
          .forEach(family -> fields.put(field, family));
    }
    return fields;
  }

  private static Map<DcgmFieldId, Metric> ofInstances(Map<DcgmFieldId, Metric> all) {
    Map<DcgmFieldId, Metric> fields = new EnumMap<>(all);
    fields.values().removeAll(SHARED_FAMILIES);
    return fields;
  }

  /** The fields that are read from DCGM. */
  static List<DcgmFieldId> dcgmFields() {
    return List.copyOf(OF_DCGM.keySet());
  }

  /** The same of a MIG instance. */
  static List<DcgmFieldId> dcgmFieldsOfInstances() {
    return List.copyOf(OF_DCGM_INSTANCES.keySet());
  }

  @Override
  void collect(GpuRound round) {
    List<Activity> instances = instances(round);
    Reading<GpmValues> reading = whole(round);
    round.note(reading);
    boolean supported = reading.toOptional().isPresent() || !instances.isEmpty();
    if (supported || reading.failure().isEmpty()) {
      round.put(GpuMetrics.GPM_SUPPORTED, supported ? 1 : 0);
    }
    boolean whole = mig.instances(round.identity().uuid()).isEmpty();
    if (reading instanceof Reading.Present<GpmValues> present) {
      put(round, present.value(), whole);
    } else if (!supported && reading.failure().isEmpty()) {
      putOfDcgm(round, whole);
      putInstancesOfDcgm(round);
    }
    instances.forEach(one -> put(round.of(one.instance()), one.instance(), one.values()));
  }

  private Reading<GpmValues> whole(GpuRound round) {
    double links = round.field(NvmlField.C2C_LINK_COUNT).toOptional().orElse(0.0);
    if (links == 0 || withoutC2c) {
      return round.gpu().gpm(WITHOUT_C2C);
    }
    Reading<GpmValues> reading = round.gpu().gpm(METRICS.keySet());
    withoutC2c = reading.failure().filter(INVALID::equals).isPresent();
    return reading;
  }

  @Override
  void forget() {
    withoutC2c = false;
    sums.clear();
    secondsOfInstances.clear();
    placed.clear();
  }

  /** Those that answer. One that vanished since they were listed is no failure. */
  private List<Activity> instances(GpuRound round) {
    List<Activity> answers = new ArrayList<>();
    for (MigInstance instance : mig.instances(round.identity().uuid())) {
      Reading<GpmValues> reading = round.gpu().gpm(instance.id(), OF_INSTANCES);
      if (!MigDevice.isGone(reading)) {
        round.note(reading);
        reading.toOptional().ifPresent(values -> answers.add(new Activity(instance, values)));
      }
    }
    return answers;
  }

  private void putOfDcgm(GpuRound round, boolean whole) {
    String uuid = round.identity().uuid();
    dcgm.need(uuid);
    Optional<ActivityBoard.Activity> activity = dcgm.activity(uuid, round.now());
    round.put(
        HostEngineMetrics.ACTIVITY_INFO,
        activity.isPresent() ? List.of("dcgm", "") : List.of("none", dcgm.why(uuid)),
        1);
    activity.ifPresent(
        found -> {
          put(round, OF_DCGM, found.values(), whole);
          put(round, INTEGRALS_OF_DCGM, found.seconds(), true);
        });
  }

  /** Only of instances that NVML lists too: their profile is its. */
  private void putInstancesOfDcgm(GpuRound round) {
    String uuid = round.identity().uuid();
    List<MigInstance> instances = mig.instances(uuid);
    if (instances.isEmpty()) {
      dcgmInstances.spare(uuid);
      return;
    }
    dcgmInstances.need(uuid);
    for (MigInstance instance : instances) {
      Instant since = since(instance, round.now());
      dcgmInstances
          .activity(ActivityBoard.instance(uuid, instance.id()), round.now())
          .filter(found -> found.at().isAfter(since))
          .ifPresent(
              found -> {
                GpuRound its = round.of(instance);
                put(its, OF_DCGM_INSTANCES, found.values(), true);
                put(its, INTEGRALS_OF_DCGM_INSTANCES, found.seconds(), true);
              });
    }
  }

  /** From when on the activity under an id is that of this instance. */
  private Instant since(MigInstance instance, Instant now) {
    Placed before = placed.get(instance.id());
    if (before == null || !before.profile().equals(instance.profile())) {
      placed.put(
          instance.id(),
          new Placed(instance.profile(), before == null ? Instant.MIN : now.plus(LAG)));
    }
    return Objects.requireNonNull(placed.get(instance.id())).since();
  }

  private static void put(
      GpuRound round,
      Map<DcgmFieldId, Metric> families,
      Map<DcgmFieldId, Double> values,
      boolean whole) {
    families.forEach(
        (field, family) -> {
          Double value = values.get(field);
          if (value != null) {
            put(round, family, Reading.of(value), whole || SHARED_FAMILIES.contains(family));
          }
        });
  }

  /** Of a divided GPU only what its instances share is on the page, whether they answer or not. */
  private static void put(GpuRound round, Metric family, Reading<Double> value, boolean shown) {
    if (shown) {
      round.put(family, value);
    } else {
      round.putHidden(family, value);
    }
  }

  private void put(GpuRound round, GpmValues values, boolean whole) {
    if (!values.values().isEmpty()) {
      for (Map.Entry<GpmMetric, Metric> one : METRICS.entrySet()) {
        boolean shown = whole || SHARED.contains(one.getKey());
        put(round, one.getValue(), values.get(one.getKey()), shown);
      }
      integrate(INTEGRALS, values, sums);
    }
    putIntegrals(round, INTEGRALS, values, sums);
  }

  private void put(GpuRound its, MigInstance instance, GpmValues values) {
    Map<GpmMetric, Double> sums =
        secondsOfInstances.computeIfAbsent(
            List.of(instance.profile(), instance.id()), unseen -> new EnumMap<>(GpmMetric.class));
    if (!values.values().isEmpty()) {
      for (GpmMetric metric : OF_INSTANCES) {
        its.put(familyOf(metric), values.get(metric));
      }
      integrate(INTEGRALS_OF_INSTANCES, values, sums);
    }
    putIntegrals(its, INTEGRALS_OF_INSTANCES, values, sums);
  }

  /** Without those that the driver does not answer, which would look as on an idle GPU. */
  private static void putIntegrals(
      GpuRound round,
      Map<GpmMetric, Metric> families,
      GpmValues values,
      Map<GpmMetric, Double> sums) {
    for (Map.Entry<GpmMetric, Metric> one : families.entrySet()) {
      if (values.values().isEmpty() || values.get(one.getKey()) instanceof Reading.Present) {
        round.put(one.getValue(), sums.getOrDefault(one.getKey(), 0.0));
      }
    }
  }

  private static Metric familyOf(GpmMetric metric) {
    return Objects.requireNonNull(METRICS.get(metric));
  }

  private static void integrate(
      Map<GpmMetric, Metric> families, GpmValues values, Map<GpmMetric, Double> sums) {
    for (GpmMetric metric : families.keySet()) {
      if (values.get(metric) instanceof Reading.Present<Double> average) {
        sums.merge(metric, average.value() * values.seconds(), Double::sum);
      }
    }
  }
}
