package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Subject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Detects GPUs of an earlier boot that are no longer in the machine. A stop and start on EC2 keeps
 * the instance ID and the disk but brings other hardware, and a board may be swapped. A GPU that
 * only fell off the bus is missing from the expected number, so nothing is concluded before all
 * expected GPUs answer. Used by one thread.
 */
final class ReplacedHardware {

  /** Hardware changes only while the machine is off, so one comparison for each start suffices. */
  private boolean compared;

  List<Event> detect(NodeSnapshot view) {
    if (compared || !isComplete(view)) {
      return List.of();
    }
    compared = true;
    Set<String> earlier = ofEarlierBoots(view.history());
    Set<String> present =
        view.gpus().stream().map(GpuStatus::uuid).collect(Collectors.toUnmodifiableSet());
    List<String> gone = earlier.stream().filter(gpu -> !present.contains(gpu)).toList();
    boolean all = gone.size() == earlier.size();
    if (all && (gone.size() > 1 || (gone.size() == 1 && view.gpus().size() == 1))) {
      return List.of(new Event.MachineReplaced(view.now(), gone.size()));
    }
    return gone.stream().<Event>map(gpu -> new Event.GpuRemoved(view.now(), gpu)).toList();
  }

  private static boolean isComplete(NodeSnapshot view) {
    int expected = view.node().gpusThatShouldBeThere().orElse(0);
    return expected > 0
        && view.driver() instanceof DriverStatus.Up up
        && up.gpus() >= expected
        && view.gpus().size() == up.gpus()
        && view.gpus().stream().allMatch(GpuStatus::answers);
  }

  /** UUIDs in events before the last boot, without those that were removed since. */
  private static Set<String> ofEarlierBoots(History history) {
    Set<String> known = new LinkedHashSet<>();
    List<String> thisBoot = new ArrayList<>();
    for (Event event : history.events()) {
      if (event instanceof Event.Booted) {
        known.addAll(thisBoot);
        thisBoot.clear();
      } else if (event instanceof Event.MachineReplaced) {
        known.clear();
      } else if (event instanceof Event.GpuRemoved removed) {
        known.remove(removed.gpu());
      } else {
        String gpu = gpu(event);
        if (!gpu.isEmpty()) {
          thisBoot.add(gpu);
        }
      }
    }
    return known;
  }

  private static String gpu(Event event) {
    if (event instanceof Event.Xid xid) {
      return xid.gpu();
    }
    if (event instanceof Event.RowsRemapped rows) {
      return rows.gpu();
    }
    if (event instanceof Event.EccGrowth growth) {
      return growth.gpu();
    }
    if (event instanceof Event.GpuLost lost) {
      return lost.gpu();
    }
    if (event instanceof Event.GpuSeen seen) {
      return seen.gpu();
    }
    return event instanceof Event.FindingOpened opened
            && Subject.parse(opened.subject()) instanceof Subject.Gpu gpu
            && gpu.uuid().startsWith("GPU-")
        ? gpu.uuid()
        : "";
  }
}
