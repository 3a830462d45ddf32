package io.lapwing.host;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.Folder;
import io.lapwing.linux.KernelNumber;
import io.lapwing.linux.SmallFile;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Labels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The memory errors that EDAC counts, as a source. Virtual machines, most EC2 instances among them,
 * have no memory controller, and so no series.
 *
 * <pre>
 * lapwing_host_memory_errors_total{controller="mc0",dimm="CPU_SrcID#0_MC#0_Chan#0_DIMM#0",type="corrected"} 3
 *     devices/system/edac/mc/mc0/dimm0/dimm_ce_count, dimm_label
 * lapwing_host_memory_errors_total{controller="mc0",dimm="",type="uncorrected"} 0
 *     devices/system/edac/mc/mc0/ue_noinfo_count: errors of no known DIMM
 * </pre>
 */
public final class EdacSource extends FixedSource {

  /** The kind of this part of the node, and the name of the source and of its collector. */
  public static final String MEMORY = "host_memory";

  private static final int MAX_CONTROLLERS = 64;
  private static final int MAX_DIMMS = 64;
  private static final int MAX_LABEL = 64;
  private static final Access NOT_THERE =
      new Access.NothingHere("the kernel has no driver for a memory controller (EDAC)");

  /** A file with a count and its labels. */
  private record Counter(Path file, Labels labels) {}

  private final Path folder;

  /** Looked for at each round while there are none: the driver may be loaded later. */
  private List<Counter> counters = List.of();

  public EdacSource(SysFs sys) {
    super(MEMORY, Part.whole(MEMORY));
    add(MEMORY, Cadence.SLOW, this::collect);
    this.folder = sys.path().resolve("devices/system/edac/mc");
  }

  @Override
  public Access begin(List<Collector> due) {
    if (counters.isEmpty()) {
      counters = find();
    }
    return counters.isEmpty() ? NOT_THERE : Access.READY;
  }

  private List<Counter> find() {
    List<Counter> found = new ArrayList<>();
    for (String controller : names(folder, "mc", MAX_CONTROLLERS)) {
      Path path = folder.resolve(controller);
      List<String> dimms = new ArrayList<>(names(path, "dimm", MAX_DIMMS));
      dimms.addAll(names(path, "rank", MAX_DIMMS));
      for (String dimm : dimms) {
        Path own = path.resolve(dimm);
        String label = label(own).orElse(dimm);
        found.add(counter(own.resolve("dimm_ce_count"), controller, label, "corrected"));
        found.add(counter(own.resolve("dimm_ue_count"), controller, label, "uncorrected"));
      }
      String rest = dimms.isEmpty() ? "_count" : "_noinfo_count";
      found.add(counter(path.resolve("ce" + rest), controller, "", "corrected"));
      found.add(counter(path.resolve("ue" + rest), controller, "", "uncorrected"));
    }
    return List.copyOf(found);
  }

  private static Counter counter(Path file, String controller, String dimm, String type) {
    return new Counter(file, Labels.of("controller", controller, "dimm", dimm, "type", type));
  }

  private static List<String> names(Path folder, String start, int max) {
    return Folder.of(folder, name -> name.matches(start + "\\d{1,4}"), max)
        .toOptional()
        .map(Folder::names)
        .orElse(List.of());
  }

  private static Optional<String> label(Path dimm) {
    return SmallFile.text(dimm.resolve("dimm_label"))
        .toOptional()
        .filter(label -> !label.isEmpty() && label.length() <= MAX_LABEL);
  }

  private void collect(SampleSink sink) {
    boolean any = false;
    for (Counter counter : counters) {
      Reading<String> text = SmallFile.text(counter.file());
      if (text instanceof Reading.Present<String> present) {
        any = true;
        OptionalDouble number = KernelNumber.unsigned(present.value());
        if (number.isPresent()) {
          sink.add(HostMetrics.MEMORY_ERRORS, counter.labels(), number.getAsDouble());
        } else {
          sink.failed(counter.file().toString(), "malformed");
        }
      } else if (text instanceof Reading.Failed<String> failed) {
        any = true;
        sink.failed(failed.question(), failed.reason());
      }
    }
    if (!any) {
      // The driver was unloaded, or loaded with other DIMMs.
      counters = List.of();
    }
  }
}
