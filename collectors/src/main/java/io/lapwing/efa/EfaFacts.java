package io.lapwing.efa;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.SmallFile;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Labels;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Slowly changing properties of a device. Unknown texts are empty.
 *
 * @param pciAddress {@code 0000:4f:00.0}
 * @param pciDeviceId {@code 0xefa2}
 * @param driverVersion {@code 2.17.3g}; empty for the driver that comes with the kernel
 * @param rate {@code 100 Gb/sec (4X EDR)}; before 2.13 the driver reports this for every device
 * @param nodeGuid four groups of hex digits; empty before 2.12, where the driver reports zeros
 * @param gid the first one of the port: it has the MAC address of the EC2 network interface
 * @param p2pProvider {@code NVIDIA}: provides access to GPU memory
 * @param lifespan for how many milliseconds the driver caches the port's counters
 * @param nearestGpus their PCI addresses
 */
record EfaFacts(
    String pciAddress,
    String pciDeviceId,
    String driverVersion,
    String rate,
    String numaNode,
    String nodeGuid,
    String gid,
    String p2pProvider,
    String lifespan,
    List<String> nearestGpus) {

  private static final String NO_GUID = "0000:0000:0000:0000";
  private static final String NO_NODE = "-1";

  /** Placeholders of the driver for an unset GUID and an unknown NUMA node. */
  private static final Set<String> NOTHING = Set.of(NO_GUID, NO_NODE);

  /** The facts, and whether every file of them could be read. */
  record Found(EfaFacts facts, boolean complete) {}

  /**
   * Reads all; a failed read is counted and leaves an empty text. {@code nearest} has the addresses
   * of the GPUs near the device, by its NUMA node.
   */
  static Found read(
      SysFs sys, EfaDevice device, Function<String, List<String>> nearest, SampleSink sink) {
    Texts texts = new Texts(device, sink);
    String numaNode = texts.of("device/numa_node");
    EfaFacts facts =
        new EfaFacts(
            device.pciAddress(),
            texts.of("device/device"),
            texts.known(sys.text("module/efa/version")),
            texts.of("ports/1/rate"),
            numaNode,
            texts.of("node_guid"),
            texts.of("ports/1/gids/0"),
            texts.of("device/p2p"),
            texts.of("ports/1/hw_counters/lifespan"),
            nearest.apply(numaNode));
    return new Found(facts, texts.complete);
  }

  /** The same near other GPUs. */
  EfaFacts with(List<String> gpus) {
    return gpus.equals(nearestGpus)
        ? this
        : new EfaFacts(
            pciAddress,
            pciDeviceId,
            driverVersion,
            rate,
            numaNode,
            nodeGuid,
            gid,
            p2pProvider,
            lifespan,
            gpus);
  }

  /** The texts of the files of a device. */
  private static final class Texts {
    private final EfaDevice device;
    private final SampleSink sink;
    private boolean complete = true;

    Texts(EfaDevice device, SampleSink sink) {
      this.device = device;
      this.sink = sink;
    }

    String of(String file) {
      return known(SmallFile.text(device.file(file)));
    }

    String known(Reading<String> reading) {
      complete &= !sink.countFailure(reading);
      return reading.toOptional().filter(text -> !NOTHING.contains(text)).orElse("");
    }
  }

  /** The labels of {@code lapwing_efa_info}. */
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
            EniMac.ofGid(gid).orElse(""),
            p2pProvider,
            lifespan,
            String.join(",", nearestGpus)));
  }

  /** The MAC address of the EC2 interface, from the EUI-64 in the first GID (link-local). */
  static final class EniMac {

    /** The kernel's format of a GID: eight groups. */
    private static final Pattern GID = Pattern.compile("[0-9a-fA-F]{4}(:[0-9a-fA-F]{4}){7}");

    private static final String LINK_LOCAL = "fe80";
    private static final int UNIVERSAL = 0x02;

    private EniMac() {}

    /** From {@code fe80:0000:0000:0000:0abc:deff:fe12:3456}; empty for other GIDs. */
    static Optional<String> ofGid(String gid) {
      if (!GID.matcher(gid).matches()) {
        return Optional.empty();
      }
      String digits = gid.replace(":", "").toLowerCase(Locale.ROOT);
      String eui = digits.substring(digits.length() / 2);
      return digits.startsWith(LINK_LOCAL) && eui.startsWith("fffe", 6)
          ? Optional.of(mac(eui.substring(0, 6) + eui.substring(10)))
          : Optional.empty();
    }

    /** From twelve digits; EUI-64 inverts the second bit of the first byte. */
    private static String mac(String digits) {
      byte[] bytes = HexFormat.of().parseHex(digits);
      bytes[0] ^= UNIVERSAL;
      return HexFormat.ofDelimiter(":").formatHex(bytes);
    }
  }
}
