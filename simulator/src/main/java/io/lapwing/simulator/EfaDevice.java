package io.lapwing.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One network device: its folder below its PCI device, the link to it in {@code class/infiniband},
 * and the counters.
 */
final class EfaDevice {
  private static final String LINKS = "class/infiniband/";
  private static final String PCI = "device/";

  private final int number;
  private final String busId;
  private final EfaModel model;
  private final int numaNode;
  private final PciTree pci;
  private final SharedFiles shared;
  private final EfaTotals totals;
  private final Map<EfaCounter, CounterFile> counters = new EnumMap<>(EfaCounter.class);
  private EfaSettings settings;
  private String name;
  private EfaDriver driver;
  private int machine;
  private boolean counts;
  private boolean held;

  EfaDevice(int number, PciSwitch above, InstanceType type, PciTree pci, Start start) {
    this.number = number;
    this.busId = above.efa().get(number - start.before());
    this.shared = start.shared();
    this.model = type.efa().orElseThrow();
    this.numaNode = above.numaNode();
    this.pci = pci;
    this.settings = start.settings();
    this.driver = start.driver();
    this.name = usualName();
    this.totals = new EfaTotals(traffic(), start.epoch());
  }

  /**
   * How the device is at first.
   *
   * @param before how many devices are on the switches before
   * @param epoch the second since 1970 at which its counters began
   * @param shared where files are made that stay as they are
   */
  record Start(
      int before, EfaSettings settings, EfaDriver driver, double epoch, SharedFiles shared) {}

  private EfaTraffic traffic() {
    return EfaTraffic.of(
        model, number, settings.load(), settings.retransmitted(), settings.alive());
  }

  /** What rdma-core makes of bus and slot; the driver itself would say efa_0. */
  private String usualName() {
    String slot = busId.substring(busId.lastIndexOf(':') + 1, busId.lastIndexOf('.'));
    return "rdmap%ds%d"
        .formatted(Integer.parseInt(busId.substring(5, 7), 16), Integer.parseInt(slot, 16));
  }

  /** Another machine, or this one booted: another driver's or another device's files. */
  void restart(EfaSettings next, EfaDriver nextDriver, int nextMachine, double now)
      throws IOException {
    totals.restart(now);
    if (!nextDriver.equals(driver) || nextMachine != machine) {
      remove();
    }
    driver = nextDriver;
    machine = nextMachine;
    change(next, now);
  }

  /** The lines about it are other ones. */
  void change(EfaSettings next, double now) throws IOException {
    boolean comes = !pci.has(busId) && !next.missing();
    Set<String> changed = next.filesOtherThan(settings);
    settings = next;
    if (comes) {
      totals.restart(now);
    }
    totals.change(traffic(), settings.counts(), now);
    if (settings.missing()) {
      remove();
      return;
    }
    rename(settings.name().orElseGet(this::usualName));
    for (String path : changed) {
      forget(path);
    }
    write(now);
    tick(now);
  }

  private void forget(String path) throws IOException {
    for (EfaCounter counter : EfaCounter.values()) {
      String of = counter.path(driver);
      if (of.equals(path) || of.startsWith(path + "/")) {
        CounterFile file = counters.remove(counter);
        if (file != null) {
          file.close();
        }
      }
    }
    PciTree.delete(folder().resolve(path));
  }

  private void remove() throws IOException {
    Files.deleteIfExists(pci.sys().root().resolve(LINKS + name));
    closeCounters();
    counters.clear();
    pci.remove(busId);
  }

  /** The folder is the same one afterwards, as it is when udev renames a device. */
  private void rename(String next) throws IOException {
    if (next.equals(name)) {
      return;
    }
    Path before = folder();
    Files.deleteIfExists(pci.sys().root().resolve(LINKS + name));
    name = next;
    if (Files.exists(before)) {
      Files.move(before, folder());
    }
    counters.forEach((counter, file) -> file.moved(folder().resolve(counter.path(driver))));
  }

  private String path() {
    return pci.folder(busId) + "/infiniband/" + name;
  }

  private Path folder() {
    return pci.sys().root().resolve(path());
  }

  /** Makes what is not there. */
  private void write(double now) throws IOException {
    pci.add(busId);
    makeFolders();
    for (Map.Entry<String, String> file : files().entrySet()) {
      writeOnce(file.getKey(), file.getValue());
    }
    for (EfaCounter counter : EfaCounter.values()) {
      if (driver.has(counter) && !replaced(counter.path(driver))) {
        writeCounter(counter, now);
      }
    }
    pci.linkDevice(path(), busId);
    pci.link(pci.folder(busId) + "/driver", "bus/pci/drivers/efa");
    for (Map.Entry<String, String> file : settings.files().entrySet()) {
      OddFile.write(folder().resolve(file.getKey()), file.getValue());
    }
    pci.link(LINKS + name, path());
  }

  private void makeFolders() throws IOException {
    Files.createDirectories(pci.sys().root().resolve("bus/pci/drivers/efa"));
    for (String each : List.of("ports/1/gids", "ports/1/hw_counters", "hw_counters")) {
      if (!replaced(each) && (each.startsWith("ports") || driver.splitsDeviceFromPort())) {
        Files.createDirectories(folder().resolve(each));
      }
    }
  }

  /** Whether something else stands there, or where it would be. */
  private boolean replaced(String path) {
    for (String odd : settings.files().keySet()) {
      if (path.equals(odd) || path.startsWith(odd + "/")) {
        return true;
      }
    }
    return false;
  }

  private void writeCounter(EfaCounter counter, double now) throws IOException {
    if (!counts) {
      writeOnce(counter.path(driver), "0");
      return;
    }
    if (counters.containsKey(counter)) {
      return;
    }
    CounterFile file = new CounterFile(folder().resolve(counter.path(driver)));
    file.create(totals.at(counter, now));
    counters.put(counter, file);
    if (held) {
      file.open();
    }
  }

  /**
   * Makes a file that stays as it is.
   *
   * @param path below the device, where {@code device/} is its PCI device's folder
   */
  private void writeOnce(String path, String text) throws IOException {
    Path file =
        path.startsWith(PCI)
            ? pci.sys().root().resolve(pci.folder(busId) + "/" + path.substring(PCI.length()))
            : folder().resolve(path);
    if (!replaced(path) && !Files.exists(file)) {
      shared.write(file, text);
    }
  }

  /** From now on the counters move; before, all of them are the same 0. */
  void count(double now) throws IOException {
    if (!counts) {
      counts = true;
      if (!settings.missing()) {
        write(now);
      }
    }
  }

  /** Writes the counters as they are by now. */
  void tick(double now) throws IOException {
    for (Map.Entry<EfaCounter, CounterFile> counter : counters.entrySet()) {
      counter.getValue().write(totals.at(counter.getKey(), now));
    }
  }

  /** Keeps the counters' descriptors until {@link #close}. */
  void hold() throws IOException {
    held = true;
    for (CounterFile counter : counters.values()) {
      counter.open();
    }
  }

  void close() throws IOException {
    held = false;
    closeCounters();
  }

  private void closeCounters() throws IOException {
    for (CounterFile counter : counters.values()) {
      counter.close();
    }
  }

  // --- What stands in the files that do not move

  private Map<String, String> files() {
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
    pciFiles().forEach((file, text) -> files.put(PCI + file, text));
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

  /** Of the network interface that the device is half of; another machine has others. */
  private int[] mac() {
    return new int[] {0x0e, 0x5a, 0x17, 0x40 + machine, busId.hashCode() & 0xff, number};
  }

  /** Link-local, with the MAC in the lower half: bit 1 of the first byte turned, ff:fe between. */
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
