package io.lapwing.bench.acceptance;

import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A program {@code nvidia-smi} for a simulated node whose values are constant. What it prints is
 * made here from the node's lines, and not by the library that the agent asks.
 */
final class SimulatedSmi {

  private static final int LINKS = 18;
  private static final String MIG_ON = "3:4g.40gb@0 9:1g.10gb@6";

  /** Lines for values that do not change, of an idle GPU. */
  static final Map<String, String> CONSTANT =
      Map.ofEntries(
          Map.entry("gpu.*.load", "0"),
          Map.entry("gpu.*.temperature", "50"),
          Map.entry("gpu.*.memory.used", "1073741824"),
          Map.entry("gpu.*.power", "75.5"),
          Map.entry("gpu.*.nvlink.tx", "0"),
          Map.entry("gpu.*.nvlink.rx", "0"),
          Map.entry("gpu.*.gpm.sm_active", "0"),
          Map.entry("gpu.*.ecc.corrected.aggregate.dram", "7"),
          Map.entry("gpu.*.rows.correctable", "2"),
          Map.entry("gpu.*.processes", ""));

  private final SimulatedNode node;
  private final int gpus;
  private final Path bin;

  SimulatedSmi(SimulatedNode node, int gpus, Path bin) {
    this.node = node;
    this.gpus = gpus;
    this.bin = bin;
  }

  /** GPU 0 is divided. */
  static Map<String, String> divided() {
    return Map.of("gpu.0.mig.mode", "1", "gpu.0.mig.instances", MIG_ON);
  }

  /** Installs it in its folder, which goes in front of PATH. */
  void install(String speed) throws IOException {
    Files.createDirectories(bin);
    Files.writeString(bin.resolve("xml"), xml());
    Files.writeString(bin.resolve("links"), links("", link -> speed));
    Files.writeString(
        bin.resolve("counters"),
        links("", link -> "Data Tx: 0 KiB\n\t Link " + link + ": Data Rx: 0 KiB"));
    Path program = bin.resolve("nvidia-smi");
    Files.writeString(
        program,
        """
        #!/bin/sh
        case "$*" in
          '-q -x') cat %1$s/xml ;;
          'nvlink -s') cat %1$s/links ;;
          'nvlink -gt d') cat %1$s/counters ;;
          *) exit 1 ;;
        esac
        """
            .formatted(bin));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private interface LinkText {
    String of(int link);
  }

  private String links(String start, LinkText text) {
    StringBuilder all = new StringBuilder(start);
    for (int gpu = 0; gpu < gpus; gpu++) {
      all.append("GPU %d: %s (UUID: %s)\n".formatted(gpu, of(gpu, "name"), of(gpu, "uuid")));
      for (int link = 0; link < LINKS; link++) {
        all.append("\t Link ").append(link).append(": ").append(text.of(link)).append('\n');
      }
    }
    return all.toString();
  }

  /** A later line overrides an earlier one. */
  private String of(int gpu, String key) {
    String last = "";
    for (Map.Entry<String, String> line : node.lines().entrySet()) {
      if (line.getKey().equals("gpu." + gpu + "." + key) || line.getKey().equals("gpu.*." + key)) {
        last = line.getValue();
      }
    }
    return last;
  }

  private String xml() {
    return "<?xml version=\"1.0\" ?>\n<nvidia_smi_log><driver_version>580.95.05</driver_version>"
        + IntStream.range(0, gpus).mapToObj(this::gpu).collect(Collectors.joining())
        + "</nvidia_smi_log>";
  }

  private String gpu(int gpu) {
    boolean divided = of(gpu, "mig.mode").equals("1");
    String cluster = of(gpu, "fabric.uuid");
    return """
    <gpu id="0000%s">
      <product_name>%s</product_name><product_architecture>Hopper</product_architecture>
      <uuid>%s</uuid>
      <mig_mode><current_mig>%s</current_mig></mig_mode>
      <mig_devices>%s</mig_devices>
      <temperature><gpu_temp>50 C</gpu_temp></temperature>
      <gpu_power_readings><average_power_draw>75.50 W</average_power_draw></gpu_power_readings>
      <ecc_errors><aggregate><dram_correctable>7</dram_correctable></aggregate></ecc_errors>
      <remapped_rows><remapped_row_corr>2</remapped_row_corr></remapped_rows>
      <fb_memory_usage><used>1024 MiB</used></fb_memory_usage>
      <fabric><state>Completed</state><status>Success</status>
        <cliqueId>%s</cliqueId><clusterUuid>%s</clusterUuid></fabric>
      <processes>%s</processes>
    </gpu>
    """
        .formatted(
            of(gpu, "bus_id").toUpperCase(Locale.ROOT),
            of(gpu, "name"),
            of(gpu, "uuid"),
            divided ? "Enabled" : "Disabled",
            divided ? instance(3, 64, 40448) + instance(9, 16, 9856) : "None",
            of(gpu, "fabric.clique").isEmpty() ? "0" : of(gpu, "fabric.clique"),
            cluster.isEmpty() ? "00000000-0000-0000-0000-000000000000" : cluster,
            of(gpu, "processes").isEmpty()
                ? ""
                : "<process_info><pid>4711</pid><type>C</type></process_info>");
  }

  private static String instance(int id, int multiprocessors, int mebibytes) {
    return """
    <mig_device><gpu_instance_id>%d</gpu_instance_id><compute_instance_id>0</compute_instance_id>
      <device_attributes><shared><multiprocessor_count>%d</multiprocessor_count></shared>
      </device_attributes><fb_memory_usage><total>%d MiB</total></fb_memory_usage></mig_device>
    """
        .formatted(id, multiprocessors, mebibytes);
  }

  static List<String> agent(SimulatedNode node) {
    return Stream.concat(
            Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.lapwing.agent.Main",
                "agent",
                "--metrics=full",
                "--node.hostname=node-1",
                "--cadence.fast=500ms",
                "--cadence.medium=1s",
                "--cadence.slow=1s"),
            node.agentArguments().stream())
        .toList();
  }
}
