/*
 * GPM: a sample is a copy of running totals, a metric is what happened between two samples.
 *
 * The hardware refreshes its totals every 100 ms, so samples closer than that hold no new data: NaN.
 */
#include "gpm_metrics.h"
#include "mig.h"
#include "nvlink.h"

#include <math.h>
#include <stdlib.h>

#if NVML_VINTAGE >= 525

enum { SAMPLE_MAGIC = 0x4c415057 };

static const double SHORTEST_INTERVAL = 0.1;

struct nvmlGpmSample_st {
  unsigned magic;
  bool taken;
  bool nan;
  int slot;
  unsigned instance; /* NO_INSTANCE for the whole GPU */
  double activity;   /* share of the GPU's quantities */
  unsigned links;
  bool c2c;
  double c2c_tx; /* MiB/s */
  double c2c_rx;
  double seconds;
  double busiest_clock; /* Hz */
  bool supported[INTEGRATED_QUANTITIES];
  double total[INTEGRATED_QUANTITIES];
};

static atomic_uint streaming[GPUS_MAX];

static bool has_gpm(const struct gpu *gpu, double seconds) {
  return gpu->gpm != GPM_UNSUPPORTED && gpu_value(gpu, Q_ARCHITECTURE, seconds) >= NVML_DEVICE_ARCH_HOPPER;
}

static bool is_sample(nvmlGpmSample_t sample) { return sample != NULL && sample->magic == SAMPLE_MAGIC; }

API nvmlReturn_t nvmlGpmQueryDeviceSupport(nvmlDevice_t device, nvmlGpmSupport_t *support) {
  DEVICE_CALL(call, nvmlGpmQueryDeviceSupport, device);
  if (support == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (support->version != NVML_GPM_SUPPORT_VERSION) {
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  }
  support->isSupportedDevice = has_gpm(call.gpu, call.now);
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlGpmSampleAlloc(nvmlGpmSample_t *sample) {
  SYSTEM_CALL(call, nvmlGpmSampleAlloc);
  if (sample == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *sample = calloc(1, sizeof **sample);
  if (*sample == NULL) {
    return NVML_ERROR_MEMORY;
  }
  (*sample)->magic = SAMPLE_MAGIC;
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlGpmSampleFree(nvmlGpmSample_t sample) {
  BEGIN(call, begin_cleanup_call(&call, FUNCTION_nvmlGpmSampleFree));
  if (!is_sample(sample)) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  sample->magic = 0;
  free(sample);
  return NVML_SUCCESS;
}

static nvmlReturn_t take(const struct call *call, unsigned instance, double activity, nvmlGpmSample_t sample) {
  if (!has_gpm(call->gpu, call->now)) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  sample->taken = true;
  sample->nan = call->gpu->gpm == GPM_NAN;
  sample->slot = call->slot;
  sample->instance = instance;
  sample->activity = activity;
  sample->links = nvlink_count(call);
  sample->c2c = count_of(call, Q_C2C_COUNT) > 0;
  sample->c2c_tx = gpu_value(call->gpu, Q_C2C_TX, call->now);
  sample->c2c_rx = gpu_value(call->gpu, Q_C2C_RX, call->now);
  sample->seconds = call->now;
  sample->busiest_clock = gpu_value(call->gpu, Q_CLOCK_SM_MAX, call->now) * 1e6;
  for (int q = 0; q < INTEGRATED_QUANTITIES; q++) {
    sample->supported[q] = !call->gpu->quantity[q].unsupported;
    sample->total[q] = gpu_total(call->gpu, (enum quantity)q, call->now);
  }
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlGpmSampleGet(nvmlDevice_t device, nvmlGpmSample_t sample) {
  DEVICE_CALL(call, nvmlGpmSampleGet, device);
  if (!is_sample(sample)) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  return take(&call, NO_INSTANCE, mig_activity(call.gpu, call.now), sample);
}

API nvmlReturn_t nvmlGpmMigSampleGet(nvmlDevice_t device, unsigned int instance, nvmlGpmSample_t sample) {
  DEVICE_CALL(call, nvmlGpmMigSampleGet, device);
  if (!is_sample(sample)) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (!mig_enabled(call.gpu, call.now)) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  const struct mig_instance *found = mig_instance(call.gpu, instance, call.now);
  return found == NULL ? NVML_ERROR_INVALID_ARGUMENT : take(&call, instance, found->activity, sample);
}

API nvmlReturn_t nvmlGpmQueryIfStreamingEnabled(nvmlDevice_t device, unsigned int *state) {
  DEVICE_CALL(call, nvmlGpmQueryIfStreamingEnabled, device);
  if (state == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *state = atomic_load(&streaming[call.slot]);
  return has_gpm(call.gpu, call.now) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

API nvmlReturn_t nvmlGpmSetStreamingEnabled(nvmlDevice_t device, unsigned int state) {
  DEVICE_CALL(call, nvmlGpmSetStreamingEnabled, device);
  if (state > 1) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  atomic_store(&streaming[call.slot], state);
  return has_gpm(call.gpu, call.now) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

static double average(const struct nvmlGpmSample_st *from, const struct nvmlGpmSample_st *to, enum quantity quantity) {
  double seconds = to->seconds - from->seconds;
  if (from->nan || to->nan || seconds < SHORTEST_INTERVAL) {
    return NAN;
  }
  return fmax((to->total[quantity] - from->total[quantity]) / seconds, 0);
}

static double c2c_rate(const struct nvmlGpmSample_st *from, const struct nvmlGpmSample_st *to, enum quantity quantity) {
  if (from->nan || to->nan || to->seconds - from->seconds < SHORTEST_INTERVAL) {
    return NAN;
  }
  return quantity == Q_C2C_TX ? (from->c2c_tx + to->c2c_tx) / 2 : (from->c2c_rx + to->c2c_rx) / 2;
}

static double metric_value(const struct nvmlGpmSample_st *from, const struct nvmlGpmSample_st *to,
                           struct gpm_metric metric) {
  static const double mebi = 1048576;
  if (metric.kind == GPM_C2C_RATE) {
    return c2c_rate(from, to, metric.quantity);
  }
  double total = to->nan ? NAN : to->total[metric.quantity];
  switch (metric.kind) {
    case GPM_PERCENT: {
      double percent = average(from, to, metric.quantity) * to->activity;
      return isnan(percent) ? NAN : fmin(percent, 100);
    }
    case GPM_RATE:
      return average(from, to, metric.quantity);
    case GPM_LINK_RATE:
      return average(from, to, metric.quantity) / to->links;
    case GPM_BYTES:
      return total * mebi;
    case GPM_LINK_BYTES:
      return total * mebi / to->links;
    case GPM_CYCLES:
      return total * 1e6;
    case GPM_BUSY_CYCLES:
      return total / 100 * to->busiest_clock;
    default:
      return NAN;
  }
}

static bool has(const struct nvmlGpmSample_st *sample, struct gpm_metric metric) {
  switch (metric.kind) {
    case GPM_ABSENT:
      return false;
    case GPM_C2C_RATE:
      return sample->c2c;
    case GPM_LINK_RATE:
    case GPM_LINK_BYTES:
      return sample->supported[metric.quantity] && metric.link < sample->links;
    default:
      return sample->supported[metric.quantity];
  }
}

static const char *unit_of(enum gpm_kind kind) {
  return kind == GPM_PERCENT                             ? "%"
         : kind == GPM_RATE || kind == GPM_LINK_RATE     ? "MiB/s"
         : kind == GPM_C2C_RATE                          ? "MiB/s"
         : kind == GPM_BYTES || kind == GPM_LINK_BYTES   ? "B"
                                                         : "cycles";
}

static void answer_metric(const struct nvmlGpmSample_st *from, const struct nvmlGpmSample_st *to,
                          nvmlGpmMetric_t *asked) {
  struct gpm_metric metric = gpm_metric(asked->metricId);
  asked->value = NAN;
  if (metric.kind == GPM_UNKNOWN) {
    asked->nvmlReturn = NVML_ERROR_INVALID_ARGUMENT;
  } else if (!has(to, metric) || (to->instance != NO_INSTANCE && metric.kind != GPM_PERCENT)) {
    asked->nvmlReturn = NVML_ERROR_NOT_SUPPORTED;
  } else {
    asked->nvmlReturn = NVML_SUCCESS;
    asked->value = metric_value(from, to, metric);
    asked->metricInfo.shortName = quantity_key(metric.quantity);
    asked->metricInfo.longName = quantity_key(metric.quantity);
    asked->metricInfo.unit = unit_of(metric.kind);
  }
}

API nvmlReturn_t nvmlGpmMetricsGet(nvmlGpmMetricsGet_t *get) {
  SYSTEM_CALL(call, nvmlGpmMetricsGet);
  if (get == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (get->version != NVML_GPM_METRICS_GET_VERSION) {
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  }
  if (!is_sample(get->sample1) || !is_sample(get->sample2) || !get->sample1->taken || !get->sample2->taken ||
      get->sample1->slot != get->sample2->slot || get->sample1->instance != get->sample2->instance || get->numMetrics > NVML_GPM_METRIC_MAX) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  for (unsigned int i = 0; i < get->numMetrics; i++) {
    answer_metric(get->sample1, get->sample2, &get->metrics[i]);
  }
  return NVML_SUCCESS;
}

#endif
