package io.lapwing.gpu;

import io.lapwing.metric.Labels;
import java.util.List;
import java.util.Optional;

/**
 * The labels of GPU series. With {@code lean}, families with DCGM's names carry only {@code gpu}
 * and {@code UUID}, for joins with {@code lapwing_gpu_info}; {@code more} are from label rows of a
 * field file.
 */
public record GpuLabelling(boolean lean, Optional<HostnameLabel> hostname, List<LabelField> more) {

  public GpuLabelling {
    more = List.copyOf(more);
  }

  /** The host's label: {@code Hostname} as dcgm-exporter up to 4.8.2, or {@code hostname}. */
  public record HostnameLabel(String name, String value) {}

  /** dcgm-exporter's labels for this host. */
  public static GpuLabelling dcgm(String hostname) {
    return new GpuLabelling(false, Optional.of(new HostnameLabel("Hostname", hostname)), List.of());
  }

  GpuLabels labels(GpuIdentity gpu, LabelField.Facts facts) {
    Labels own = Labels.of("gpu", String.valueOf(gpu.index()), "UUID", gpu.uuid());
    return new GpuLabels(withMore(lean ? own : full(own, gpu), facts), own);
  }

  private Labels full(Labels own, GpuIdentity gpu) {
    Labels labels =
        own.with("pci_bus_id", gpu.pciBusId())
            .with("device", "nvidia" + gpu.index())
            .with("modelName", gpu.name());
    return hostname.map(host -> labels.with(host.name(), host.value())).orElse(labels);
  }

  private Labels withMore(Labels labels, LabelField.Facts facts) {
    Labels all = labels;
    for (LabelField field : more) {
      all = all.with(field.metricName(), field.of(facts));
    }
    return all;
  }
}
