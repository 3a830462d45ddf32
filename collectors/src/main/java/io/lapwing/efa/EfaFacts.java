package io.lapwing.efa;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.SmallFile;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Labels;
import java.util.List;
import java.util.Set;

/**
 * What hardly changes of a device. What is not known is an empty string.
 *
 * @param pciAddress {@code 0000:4f:00.0}
 * @param pciDeviceId {@code 0xefa2}
 * @param driverVersion {@code 2.17.3g}; empty for the driver that comes with the kernel
 * @param rate {@code 100 Gb/sec (4X EDR)}; the driver says so of any device before 2.13
 * @param nodeGuid four groups of hex digits; empty where the driver tells zeros, before 2.12
 * @param eniMac of the network interface in EC2 that the device belongs to
 * @param p2pProvider {@code NVIDIA}: who lets the device reach the memory of GPUs
 * @param lifespan for how many milliseconds the driver takes the counters of the port for new
 * @param nearestGpus their PCI addresses
 */
record EfaFacts(
    String pciAddress,
    String pciDeviceId,
    String driverVersion,
    String rate,
    String numaNode,
    String nodeGuid,
    String eniMac,
    String p2pProvider,
    String lifespan,
    List<String> nearestGpus) {

  private static final String NO_GUID = "0000:0000:0000:0000";
  private static final String NO_NODE = "-1";

  /** The driver's own word for the node, and whatever else stands for none. */
  private static final Set<String> NOTHING = Set.of(NO_GUID, NO_NODE);

  /** Reads them; what cannot be read is counted and empty. */
  static EfaFacts read(SysFs sys, EfaDevice device, GpuPlaces gpus, SampleSink sink) {
    String numaNode = text(device, "device/numa_node", sink);
    return new EfaFacts(
        device.pciAddress(),
        text(device, "device/device", sink),
        told(sys.text("module/efa/version"), sink),
        text(device, "ports/1/rate", sink),
        numaNode,
        text(device, "node_guid", sink),
        EniMac.ofGid(text(device, "ports/1/gids/0", sink)).orElse(""),
        text(device, "device/p2p", sink),
        text(device, "ports/1/hw_counters/lifespan", sink),
        gpus.nearest(device.pci(), numaNode));
  }

  private static String text(EfaDevice device, String file, SampleSink sink) {
    return told(SmallFile.text(device.file(file)), sink);
  }

  private static String told(Reading<String> reading, SampleSink sink) {
    if (reading instanceof Reading.Failed<String> failed) {
      sink.failed(failed.question(), failed.reason());
    }
    return reading.toOptional().filter(text -> !NOTHING.contains(text)).orElse("");
  }

  /** As they stand in {@code lapwing_efa_info}. */
  Labels labels(EfaDevice device) {
    return new Labels(
        EfaMetrics.INFO.labels(),
        List.of(
            device.name(),
            pciAddress,
            pciDeviceId,
            driverVersion,
            rate,
            numaNode,
            nodeGuid,
            eniMac,
            p2pProvider,
            lifespan,
            String.join(",", nearestGpus)));
  }
}
