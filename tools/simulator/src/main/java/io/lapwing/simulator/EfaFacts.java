package io.lapwing.simulator;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Constant facts of one network device, and the files with them.
 *
 * @param number index on the node
 * @param busId of its PCI device, "0000:4f:00.0"
 * @param machine number of machines that this node replaced; each has other addresses
 */
record EfaFacts(
    int number, String busId, EfaModel model, int numaNode, EfaDriver driver, int machine) {

  EfaFacts with(EfaDriver otherDriver, int otherMachine) {
    return new EfaFacts(number, busId, model, numaNode, otherDriver, otherMachine);
  }

  /** The name that rdma-core makes from bus and slot; the driver's own is efa_0. */
  String usualName() {
    String slot = busId.substring(busId.lastIndexOf(':') + 1, busId.lastIndexOf('.'));
    return "rdmap%ds%d"
        .formatted(Integer.parseInt(busId.substring(5, 7), 16), Integer.parseInt(slot, 16));
  }

  /** File contents by path below the device; {@code device/} is the folder of its PCI device. */
  Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("node_guid", driver.knowsNodeGuid() ? nodeGuid() : "0000:0000:0000:0000");
    files.put("sys_image_guid", "0000:0000:0000:0000");
    files.put("node_type", "7: unspecified");
    files.put("node_desc", "");
    files.put("fw_ver", "");
    files.put("ports/1/state", "4: ACTIVE");
    files.put("ports/1/phys_state", "5: LinkUp");
    files.put("ports/1/rate", model.rate(driver));
    files.put("ports/1/link_layer", "Unknown");
    files.put("ports/1/lid", "0x0");
    files.put("ports/1/cap_mask", "0x00000000");
    files.put("ports/1/gids/0", gid());
    files.put(EfaCounter.folder(true) + "lifespan", "10");
    if (driver.splitsDeviceFromPort()) {
      files.put(EfaCounter.folder(false) + "lifespan", "10");
    }
    pciFiles().forEach((file, text) -> files.put("device/" + file, text));
    return files;
  }

  private Map<String, String> pciFiles() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("vendor", "0x1d0f");
    files.put("device", model.pciDevice());
    files.put("class", "0x020000");
    files.put("numa_node", Integer.toString(numaNode));
    files.put("current_link_speed", model.linkSpeed());
    files.put("current_link_width", Integer.toString(model.linkWidth()));
    files.put("max_link_speed", model.linkSpeed());
    files.put("max_link_width", Integer.toString(model.linkWidth()));
    files.put("uevent", uevent());
    if (driver.knowsPeerToPeer()) {
      files.put("p2p", "NVIDIA");
    }
    return files;
  }

  private String uevent() {
    String id = "1D0F:" + model.pciDevice().substring(2).toUpperCase(Locale.ROOT);
    return "DRIVER=efa\nPCI_CLASS=20000\nPCI_ID=%s\nPCI_SUBSYS_ID=%s\nPCI_SLOT_NAME=%s"
        .formatted(id, id, busId);
  }

  /** MAC address of the device's network interface; it differs between machines. */
  private int[] mac() {
    return new int[] {0x0e, 0x5a, 0x17, 0x40 + machine, busId.hashCode() & 0xff, number};
  }

  /** Link-local address from the MAC: bit 1 of the first byte inverted, ff:fe in the middle. */
  private String gid() {
    int[] mac = mac();
    return String.format(
        Locale.ROOT,
        "fe80:0000:0000:0000:%02x%02x:%02xff:fe%02x:%02x%02x",
        mac[0] ^ 2,
        mac[1],
        mac[2],
        mac[3],
        mac[4],
        mac[5]);
  }

  private String nodeGuid() {
    int[] mac = mac();
    return String.format(
        Locale.ROOT, "%02x%02x:%02x%02x:0000:1001", mac[5], mac[4], mac[3], mac[2]);
  }
}
