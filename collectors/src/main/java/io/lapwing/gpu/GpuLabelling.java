package io.lapwing.gpu;

import io.lapwing.metric.Labels;
import java.util.List;

/**
 * The labels of GPU series. With {@code lean}, families with DCGM's names carry only {@code gpu}
 * and {@code UUID}, for joins with {@code lapwing_gpu_info}; {@code more} are label rows of a field
 * file.
 */
public record GpuLabelling(boolean lean, List<HostnameLabel> hostnames, List<FieldLabel> more) {

  public GpuLabelling {
    hostnames = List.copyOf(hostnames);
    more = List.copyOf(more);
  }

  /** The host's label: {@code Hostname} as dcgm-exporter up to 4.8.2, or {@code hostname}. */
  public record HostnameLabel(String name, String value) {}

  /** A field under the name of its label. */
  public record FieldLabel(String name, LabelField field) {}

  /** dcgm-exporter's labels for this host. */
  public static GpuLabelling dcgm(String hostname) {
    return new GpuLabelling(false, List.of(new HostnameLabel("Hostname", hostname)), List.of());
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
    for (HostnameLabel host : hostnames) {
      labels = labels.with(host.name(), host.value());
    }
    return labels;
  }

  private Labels withMore(Labels labels, LabelField.Facts facts) {
    Labels all = labels;
    for (FieldLabel label : more) {
      all = all.with(label.name(), label.field().of(facts));
    }
    return all;
  }
}
