package io.lapwing.simulator;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** The changing counter files of one device. */
final class EfaCounterFiles {
  private final Map<EfaCounter, CounterFile> files = new EnumMap<>(EfaCounter.class);
  private boolean held;

  /** Creates one unless it exists. */
  void make(EfaCounter counter, Path path, long value) throws IOException {
    if (files.containsKey(counter)) {
      return;
    }
    CounterFile file = new CounterFile(path);
    file.create(value);
    files.put(counter, file);
    if (held) {
      file.open();
    }
  }

  /** Drops a file that will be replaced. */
  void forget(EfaCounter counter) throws IOException {
    CounterFile file = files.remove(counter);
    if (file != null) {
      file.close();
    }
  }

  void forgetAll() throws IOException {
    closeAll();
    files.clear();
  }

  /** The device was renamed. */
  void moved(Path folder, EfaDriver driver) {
    files.forEach((counter, file) -> file.moved(folder.resolve(counter.path(driver))));
  }

  void write(EfaTotals totals, double now) throws IOException {
    for (Map.Entry<EfaCounter, CounterFile> file : files.entrySet()) {
      file.getValue().write(totals.at(file.getKey(), now));
    }
  }

  /** Keeps their descriptors open, also of later files, until {@link #release}. */
  void keepOpen() throws IOException {
    held = true;
    for (CounterFile file : files.values()) {
      file.open();
    }
  }

  void release() throws IOException {
    held = false;
    closeAll();
  }

  private void closeAll() throws IOException {
    for (CounterFile file : files.values()) {
      file.close();
    }
  }
}
