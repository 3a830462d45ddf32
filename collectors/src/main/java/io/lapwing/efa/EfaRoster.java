package io.lapwing.efa;

import io.lapwing.collect.Reading;
import io.lapwing.linux.FileFailure;
import io.lapwing.linux.Folder;
import io.lapwing.metric.NaturalOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The RDMA devices of the node and their changes from poll to poll. A device is identified by its
 * folder: a new folder under an old name is another device.
 */
final class EfaRoster {

  /** With unchanged names, devices are checked once in so many polls: once a minute by default. */
  private static final int POLLS_PER_CHECK = 6;

  private final Path folder;
  private final Map<String, Entry> entries = new TreeMap<>(NaturalOrder.OF_NAMES);
  private final Map<String, EfaDevice> lost = new TreeMap<>();
  private final List<Reading.Failed<Boolean>> unclear = new ArrayList<>();
  private String @Nullable [] before;
  private int polls;

  /** A device by the file key of its folder; empty if it is not Amazon's. */
  private record Entry(Object key, Optional<EfaDevice> efa) {}

  /** Differences from the previous poll. */
  record Change(List<EfaDevice> removed, List<EfaDevice> added) {}

  private static final Change NO_CHANGE = new Change(List.of(), List.of());

  /** An empty roster of {@code class/infiniband}. */
  EfaRoster(Path folder) {
    this.folder = folder;
  }

  Reading<Change> poll() {
    return unchanged() ? Reading.of(NO_CHANGE) : check();
  }

  /** Listing the names costs a tenth of a check. */
  private boolean unchanged() {
    String[] names = folder.toFile().list();
    boolean same = names != null && Arrays.equals(names, before) && unclear.isEmpty();
    before = names;
    polls = same ? polls + 1 : 0;
    return polls % POLLS_PER_CHECK != 0;
  }

  private Reading<Change> check() {
    Reading<Folder> listed = Folder.of(folder);
    if (listed instanceof Reading.Failed<Folder>) {
      return listed.map(never -> NO_CHANGE);
    }
    unclear.clear();
    return Reading.of(change(keys(listed.toOptional().map(Folder::names).orElse(List.of()))));
  }

  private Map<String, Object> keys(List<String> names) {
    Map<String, Object> keys = new TreeMap<>(NaturalOrder.OF_NAMES);
    for (String name : names) {
      try {
        Object key =
            Files.readAttributes(folder.resolve(name), BasicFileAttributes.class).fileKey();
        keys.put(name, Objects.requireNonNullElse(key, name));
      } catch (IOException gone) {
        if (!entries.containsKey(name)) {
          // Removed before it was read for the first time: lost() cannot have it.
          unclear.add(new Reading.Failed<>(folder.resolve(name).toString(), FileFailure.GONE));
        }
      }
    }
    return keys;
  }

  private Change change(Map<String, Object> keys) {
    List<EfaDevice> removed = new ArrayList<>();
    entries.entrySet().removeIf(entry -> isGone(entry, keys, removed));
    List<EfaDevice> added = new ArrayList<>();
    keys.forEach(
        (name, key) -> {
          if (!entries.containsKey(name)) {
            enter(name, key).ifPresent(added::add);
          }
        });
    remember(removed);
    return new Change(removed, added);
  }

  private static boolean isGone(
      Map.Entry<String, Entry> entry, Map<String, Object> keys, List<EfaDevice> removed) {
    boolean here = entry.getValue().key().equals(keys.get(entry.getKey()));
    if (!here) {
      entry.getValue().efa().ifPresent(removed::add);
    }
    return !here;
  }

  /** A device of unknown vendor is checked again at the next poll. */
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

  /** A device that is back at the same PCI address, under any name, is not lost. */
  private void remember(List<EfaDevice> removed) {
    removed.stream()
        .filter(device -> !device.pciAddress().isEmpty())
        .forEach(device -> lost.put(device.pciAddress(), device));
    devices().forEach(device -> lost.remove(device.pciAddress()));
  }

  List<EfaDevice> devices() {
    return entries.values().stream().flatMap(entry -> entry.efa().stream()).toList();
  }

  Collection<EfaDevice> lost() {
    return List.copyOf(lost.values());
  }

  List<Reading.Failed<Boolean>> unclear() {
    return List.copyOf(unclear);
  }
}
