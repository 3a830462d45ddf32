package io.lapwing.efa;

import io.lapwing.collect.Reading;
import io.lapwing.linux.Folder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The RDMA devices of the node, those of Amazon and the others, look after look. A device is
 * another one when its folder is, even under the name of one that is gone.
 */
final class EfaRoster {

  /** What is under the same names as before is looked at once a minute, at the usual cadence. */
  private static final int LOOKS_AT_NAMES = 6;

  private final Path folder;
  private final Map<String, Entry> entries = new TreeMap<>();
  private final Map<String, EfaDevice> lost = new TreeMap<>();
  private final List<Reading.Failed<Boolean>> unclear = new ArrayList<>();
  private String @Nullable [] before;
  private int looks;

  /**
   * An RDMA device.
   *
   * @param key of its folder: the file system's, so it stays with the device
   * @param efa empty for one that is not Amazon's
   */
  private record Entry(Object key, Optional<EfaDevice> efa) {}

  /** What is different from the look before. */
  record Change(List<EfaDevice> gone, List<EfaDevice> came) {}

  private static final Change NO_CHANGE = new Change(List.of(), List.of());

  /** A roster of {@code class/infiniband}, not yet looked at. */
  EfaRoster(Path folder) {
    this.folder = folder;
  }

  /** Looks again. */
  Reading<Change> look() {
    return asBefore() ? Reading.of(NO_CHANGE) : lookClosely();
  }

  /** The names cost a tenth of what is behind them. */
  private boolean asBefore() {
    String[] names = folder.toFile().list();
    boolean same = names != null && Arrays.equals(names, before) && unclear.isEmpty();
    before = names;
    looks = same ? looks + 1 : 0;
    return looks % LOOKS_AT_NAMES != 0;
  }

  private Reading<Change> lookClosely() {
    Reading<Folder> listed = Folder.of(folder);
    if (listed instanceof Reading.Failed<Folder>) {
      return listed.map(never -> NO_CHANGE);
    }
    return Reading.of(change(keys(listed.toOptional().map(Folder::names).orElse(List.of()))));
  }

  private Map<String, Object> keys(List<String> names) {
    Map<String, Object> keys = new LinkedHashMap<>();
    for (String name : names) {
      try {
        Object key =
            Files.readAttributes(folder.resolve(name), BasicFileAttributes.class).fileKey();
        keys.put(name, Objects.requireNonNullElse(key, name));
      } catch (IOException goneMeanwhile) {
        // The next look does not find its name either.
      }
    }
    return keys;
  }

  private Change change(Map<String, Object> keys) {
    List<EfaDevice> gone = new ArrayList<>();
    entries.entrySet().removeIf(entry -> isGone(entry, keys, gone));
    List<EfaDevice> came = new ArrayList<>();
    unclear.clear();
    keys.forEach(
        (name, key) -> {
          if (!entries.containsKey(name)) {
            enter(name, key).ifPresent(came::add);
          }
        });
    remember(gone);
    return new Change(gone, came);
  }

  private static boolean isGone(
      Map.Entry<String, Entry> entry, Map<String, Object> keys, List<EfaDevice> gone) {
    boolean here = entry.getValue().key().equals(keys.get(entry.getKey()));
    if (!here) {
      entry.getValue().efa().ifPresent(gone::add);
    }
    return !here;
  }

  /** A device of which it cannot be told whose it is is asked again at the next look. */
  private Optional<EfaDevice> enter(String name, Object key) {
    Path path = folder.resolve(name);
    Reading<Boolean> amazons = EfaDevice.isAmazons(path);
    if (amazons instanceof Reading.Failed<Boolean> failed) {
      unclear.add(failed);
      return Optional.empty();
    }
    Optional<EfaDevice> efa = amazons.toOptional().filter(is -> is).map(is -> EfaDevice.at(path));
    entries.put(name, new Entry(key, efa));
    return efa;
  }

  /** One that came back at the same place, under whatever name, is not lost. */
  private void remember(List<EfaDevice> gone) {
    gone.stream()
        .filter(device -> !device.pciAddress().isEmpty())
        .forEach(device -> lost.put(device.pciAddress(), device));
    devices().forEach(device -> lost.remove(device.pciAddress()));
  }

  /** Amazon's devices that there are. */
  List<EfaDevice> devices() {
    return entries.values().stream().flatMap(entry -> entry.efa().stream()).toList();
  }

  /** Those that were there once and are not any more. */
  Collection<EfaDevice> lost() {
    return List.copyOf(lost.values());
  }

  /** Devices of which it could not be told whose they are. */
  List<Reading.Failed<Boolean>> unclear() {
    return List.copyOf(unclear);
  }
}
