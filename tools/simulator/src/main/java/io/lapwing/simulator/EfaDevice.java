package io.lapwing.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One network device: its folder below its PCI device, the link to it in {@code class/infiniband},
 * and the counters.
 */
final class EfaDevice {
  private static final String LINKS = "class/infiniband/";
  private static final String DRIVERS = "bus/pci/drivers/efa";
  private static final String PCI = "device/";

  private final PciTree pci;
  private final SharedFiles shared;
  private final EfaTotals totals;
  private final EfaCounterFiles counters = new EfaCounterFiles();
  private EfaFacts facts;
  private EfaSettings settings;
  private String name;
  private boolean counts;

  EfaDevice(EfaFacts facts, EfaSettings settings, double epoch, PciTree pci, SharedFiles shared) {
    this.facts = facts;
    this.settings = settings;
    this.name = facts.usualName();
    this.pci = pci;
    this.shared = shared;
    this.totals = new EfaTotals(traffic(), epoch);
  }

  private EfaTraffic traffic() {
    return EfaTraffic.of(
        facts.model(), facts.number(), settings.load(), settings.retransmitted(), settings.alive());
  }

  /** The driver was loaded: after a boot, in another version or on another machine. */
  void restart(EfaSettings next, EfaDriver driver, int machine, double now) throws IOException {
    totals.restart(now);
    EfaFacts other = facts.with(driver, machine);
    if (!other.equals(facts)) {
      remove();
    }
    facts = other;
    change(next, now);
  }

  /** Its state lines changed. */
  void change(EfaSettings next, double now) throws IOException {
    boolean comes = !pci.has(facts.busId()) && !next.missing();
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
    rename(settings.name().orElseGet(facts::usualName));
    for (String path : changed) {
      forget(path);
    }
    write(now);
    tick(now);
  }

  private void forget(String path) throws IOException {
    for (EfaCounter counter : EfaCounter.values()) {
      String of = counter.path(facts.driver());
      if (of.equals(path) || of.startsWith(path + "/")) {
        counters.forget(counter);
      }
    }
    PciTree.delete(folder().resolve(path));
  }

  private void remove() throws IOException {
    Files.deleteIfExists(pci.sys().root().resolve(LINKS + name));
    counters.forgetAll();
    pci.remove(facts.busId());
  }

  /** Renames the folder, as udev does. */
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
    counters.moved(folder(), facts.driver());
  }

  private String path() {
    return pci.folder(facts.busId()) + "/infiniband/" + name;
  }

  private Path folder() {
    return pci.sys().root().resolve(path());
  }

  // --- Creating files

  private void write(double now) throws IOException {
    pci.add(facts.busId());
    makeFolders();
    for (Map.Entry<String, String> file : facts.files().entrySet()) {
      writeOnce(file.getKey(), file.getValue());
    }
    for (EfaCounter counter : EfaCounter.values()) {
      if (facts.driver().has(counter)) {
        writeCounter(counter, now);
      }
    }
    pci.linkDevice(path(), facts.busId());
    pci.link(pci.folder(facts.busId()) + "/driver", DRIVERS);
    for (Map.Entry<String, String> file : settings.files().entrySet()) {
      OddFile.write(folder().resolve(file.getKey()), file.getValue());
    }
    pci.link(LINKS + name, path());
  }

  private void makeFolders() throws IOException {
    Files.createDirectories(pci.sys().root().resolve(DRIVERS));
    for (String each : List.of("ports/1/gids", "ports/1/hw_counters", "hw_counters")) {
      if (!replaced(each) && (each.startsWith("ports") || facts.driver().splitsDeviceFromPort())) {
        Files.createDirectories(folder().resolve(each));
      }
    }
  }

  /** Whether the path, or a folder above it, has been replaced. */
  private boolean replaced(String path) {
    for (String odd : settings.files().keySet()) {
      if (path.equals(odd) || path.startsWith(odd + "/")) {
        return true;
      }
    }
    return false;
  }

  private void writeCounter(EfaCounter counter, double now) throws IOException {
    String path = counter.path(facts.driver());
    if (!counts) {
      writeOnce(path, "0");
    } else if (!replaced(path)) {
      counters.make(counter, folder().resolve(path), totals.at(counter, now));
    }
  }

  private void writeOnce(String path, String text) throws IOException {
    Path file =
        path.startsWith(PCI)
            ? pci.sys()
                .root()
                .resolve(pci.folder(facts.busId()))
                .resolve(path.substring(PCI.length()))
            : folder().resolve(path);
    if (!replaced(path) && !Files.exists(file)) {
      shared.write(file, text);
    }
  }

  // --- Counting

  /** Starts the counters; until then all of them share one file with 0. */
  void count(double now) throws IOException {
    if (!counts) {
      counts = true;
      if (!settings.missing()) {
        write(now);
      }
    }
  }

  /** Writes the current counters. */
  void tick(double now) throws IOException {
    counters.write(totals, now);
  }

  /** Keeps the counters' descriptors open until {@link #close}. */
  void keepOpen() throws IOException {
    counters.keepOpen();
  }

  void close() throws IOException {
    counters.release();
  }
}
