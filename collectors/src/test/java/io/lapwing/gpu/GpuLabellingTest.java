package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.gpu.GpuLabelling.HostnameLabel;
import io.lapwing.metric.Labels;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuLabellingTest {

  private static final List<String> OWN_NAMES = List.of("gpu", "UUID");

  private NvmlGpu gpu;
  private GpuIdentity identity;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    SimulatedNode node = StillNode.p5(dir);
    node.set("gpu.3.uuid", "GPU-3");
    node.set("gpu.3.name", "NVIDIA \"H100\"");
    node.set("gpu.3.bus_id", "0000:86:00.0");
    node.set("gpu.3.serial", "165");
    node.set("gpu.3.vbios", "96.1");
    node.set("gpu.3.inforom.power", "unsupported");
    gpu = StillNode.gpu(node, 3);
    identity = StillNode.present(GpuIdentity.read(gpu));
  }

  private GpuLabels labels(GpuLabelling labelling) {
    return labelling.labels(identity, new LabelField.Facts(identity, Probe.VERSIONS, gpu));
  }

  @Test
  void fullLabelsAreThoseOfDcgmExporterInItsOrder() {
    assertThat(labels(GpuLabelling.dcgm("node-1")).foreign())
        .isEqualTo(
            new Labels(
                DcgmMetrics.LABELS,
                List.of("3", "GPU-3", "00000000:86:00.0", "nvidia3", "NVIDIA \"H100\"", "node-1")));
  }

  @Test
  void ownFamiliesIdentifyTheGpuOnly() {
    GpuLabels labels = labels(GpuLabelling.dcgm("node-1"));
    assertThat(labels.own()).isEqualTo(Labels.of("gpu", "3", "UUID", "GPU-3"));
    assertThat(labels.of(GpuMetrics.NVLINKS)).isSameAs(labels.own());
    assertThat(labels.of(DcgmMetrics.GPU_TEMP)).isSameAs(labels.foreign());
  }

  @Test
  void leanLabelsIdentifyTheGpuOnly() {
    GpuLabelling lean =
        new GpuLabelling(true, List.of(new HostnameLabel("Hostname", "n")), List.of());
    assertThat(labels(lean).foreign().names()).isEqualTo(OWN_NAMES);
  }

  @Test
  void theHostnameMayBeSpelledOtherwiseOrLeftOut() {
    GpuLabelling lower =
        new GpuLabelling(false, List.of(new HostnameLabel("hostname", "n")), List.of());
    GpuLabelling none = new GpuLabelling(false, List.of(), List.of());
    assertThat(labels(lower).foreign().names()).last().isEqualTo("hostname");
    assertThat(labels(none).foreign().names())
        .containsExactly("gpu", "UUID", "pci_bus_id", "device", "modelName");
  }

  @Test
  void labelFieldsFollowInTheirOrderAndAnUnknownOneIsEmpty() {
    GpuLabelling more =
        new GpuLabelling(
            true,
            List.of(),
            Stream.of(
                    LabelField.VBIOS_VERSION,
                    LabelField.DRIVER_VERSION,
                    LabelField.POWER_INFOROM_VERSION)
                .map(field -> new GpuLabelling.FieldLabel(field.metricName(), field))
                .toList());
    assertThat(labels(more).foreign())
        .isEqualTo(
            Labels.of(
                "gpu",
                "3",
                "UUID",
                "GPU-3",
                "DCGM_FI_DEV_VBIOS_VERSION",
                "96.1",
                "DCGM_FI_DRIVER_VERSION",
                "570.1",
                "DCGM_FI_DEV_POWER_INFOROM_VER",
                ""));
    assertThat(labels(more).own().names()).isEqualTo(OWN_NAMES);
  }

  @Test
  void everyLabelFieldHasADistinctValue() {
    LabelField.Facts facts = new LabelField.Facts(identity, Probe.VERSIONS, gpu);
    assertThat(LabelField.DRIVER_VERSION.of(facts)).isEqualTo("570.1");
    assertThat(LabelField.NVML_VERSION.of(facts)).isEqualTo("12.570.1");
    assertThat(LabelField.CUDA_DRIVER_VERSION.of(facts)).isEqualTo("12.8");
    assertThat(LabelField.NAME.of(facts)).isEqualTo("NVIDIA \"H100\"");
    assertThat(LabelField.BRAND.of(facts)).isEqualTo("Nvidia");
    assertThat(LabelField.SERIAL.of(facts)).isEqualTo("165");
    assertThat(LabelField.UUID.of(facts)).isEqualTo("GPU-3");
    assertThat(LabelField.MINOR_NUMBER.of(facts)).isEqualTo("3");
    assertThat(LabelField.PCI_BUS_ID.of(facts)).isEqualTo("00000000:86:00.0");
    assertThat(LabelField.VBIOS_VERSION.of(facts)).isEqualTo("96.1");
    assertThat(LabelField.OEM_INFOROM_VERSION.of(facts)).isEqualTo("2.1");
    assertThat(LabelField.ECC_INFOROM_VERSION.of(facts)).isEqualTo("7.16");
    assertThat(LabelField.POWER_INFOROM_VERSION.of(facts)).isEmpty();
    assertThat(LabelField.INFOROM_IMAGE_VERSION.of(facts)).isEqualTo("G520.0200.00.05");
  }

  @Test
  void aFamilyWithMoreLabelsGetsTheSameObjectForTheSameValues() {
    GpuLabels labels = labels(GpuLabelling.dcgm("node-1"));
    Labels link = labels.of(GpuMetrics.NVLINK_UP, List.of("4"));
    assertThat(link).isEqualTo(Labels.of("gpu", "3", "UUID", "GPU-3", "link", "4"));
    assertThat(labels.of(GpuMetrics.NVLINK_UP, List.of("4"))).isSameAs(link);
    assertThat(labels.of(GpuMetrics.NVLINK_UP, List.of("5"))).isNotEqualTo(link);
  }
}
