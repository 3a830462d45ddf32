package io.lapwing.simulator;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Network devices in /sys: EFA devices and others in the same folder. */
final class EfaTree {
  private static final String VERSION = "module/efa/version";

  private final InstanceType type;
  private final StateFile state;
  private final PciTree pci;
  private final SharedFiles shared;
  private final List<EfaDevice> devices = new ArrayList<>();
  private int machine;

  EfaTree(InstanceType type, StateFile state, PciTree pci, SharedFiles shared) {
    this.type = type;
    this.state = state;
    this.pci = pci;
    this.shared = shared;
  }

  /** Writes everything as after a boot, with new counters. */
  void boot(Boot boot, Instant now) throws IOException {
    machine = boot.machine();
    if (devices.isEmpty()) {
      addDevices();
    }
    new Mlx5Tree(type, pci).write();
    restart(seconds(now));
  }

  private void addDevices() {
    List<EfaSettings> settings = settings();
    EfaDriver driver = EfaSettings.driver(state.lines());
    for (PciSwitch above : type.switches()) {
      for (String busId : above.efa()) {
        int number = devices.size();
        EfaFacts facts =
            new EfaFacts(
                number, busId, type.efa().orElseThrow(), above.numaNode(), driver, machine);
        devices.add(new EfaDevice(facts, settings.get(number), epoch(), pci, shared));
      }
    }
  }

  private void restart(double now) throws IOException {
    EfaDriver driver = EfaSettings.driver(state.lines());
    writeVersion(driver);
    List<EfaSettings> settings = settings();
    for (int i = 0; i < devices.size(); i++) {
      devices.get(i).restart(settings.get(i), driver, machine, now);
    }
  }

  private void writeVersion(EfaDriver driver) throws IOException {
    if (!devices.isEmpty()) {
      pci.sys().replace(VERSION, driver.version());
    }
  }

  /** Applies changed state lines. */
  void changed(Set<String> keys, Instant now) throws IOException {
    if (keys.stream().noneMatch(EfaTree::moves)) {
      return;
    }
    count(now);
    if (keys.contains("efa.driver") || keys.contains("epoch")) {
      restart(keys.contains("epoch") ? epoch() : seconds(now));
    } else if (keys.stream().anyMatch(EfaSettings::isOfEfa)) {
      List<EfaSettings> settings = settings();
      for (int i = 0; i < devices.size(); i++) {
        devices.get(i).change(settings.get(i), seconds(now));
      }
    }
    tick(now);
  }

  private static boolean moves(String key) {
    return EfaSettings.isOfEfa(key) || key.equals("time") || key.equals("epoch");
  }

  private void count(Instant now) throws IOException {
    for (EfaDevice device : devices) {
      device.count(seconds(now));
    }
  }

  /** Writes the current counters. */
  void tick(Instant now) throws IOException {
    for (EfaDevice device : devices) {
      device.tick(seconds(now));
    }
  }

  /** Keeps the counters' descriptors open until {@link #close}, for frequent writes. */
  void keepOpen(Instant now) throws IOException {
    count(now);
    for (EfaDevice device : devices) {
      device.keepOpen();
    }
  }

  void close() throws IOException {
    for (EfaDevice device : devices) {
      device.close();
    }
  }

  private List<EfaSettings> settings() {
    return EfaSettings.of(state.lines(), type.efaCount());
  }

  private double epoch() {
    Map<String, String> lines = state.lines();
    return Double.parseDouble(lines.getOrDefault("epoch", "0"));
  }

  private static double seconds(Instant now) {
    return Double.parseDouble(Epoch.seconds(now));
  }
}
