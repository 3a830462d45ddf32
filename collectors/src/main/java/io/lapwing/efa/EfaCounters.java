package io.lapwing.efa;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.Folder;
import io.lapwing.linux.OpenFile;
import io.lapwing.linux.OpenFile.ReadBuffer;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricCatalogue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counter files of one device, kept open and read in direct succession: the driver queries the
 * device for all port counters at once if its values are older than 10 ms.
 */
final class EfaCounters implements AutoCloseable {

  private static final String FOLDER = "hw_counters";
  private static final String PORT = "1";

  /** The device does not complete commands; each further read would take as long again. */
  private static final String TIMED_OUT = "timed_out";

  /** 20 digits and a newline, with room to detect more. */
  private static final int MAX_BYTES = 64;

  private final CounterDemand demand;
  private final Path deviceFolder;
  private final Path portFolder;
  private final Labels ofDevice;
  private final Labels ofPort;
  private final ReadBuffer buffer = new ReadBuffer(MAX_BYTES);
  private List<Slot> slots = List.of();
  private boolean hasPortCounters;
  private String @Nullable [] listedOfPort;
  private String @Nullable [] listedOfDevice;
  private Reading<Set<String>> portNames = Reading.of(Set.of());
  private int round;

  private static final class Slot {
    final EfaCounter counter;
    final boolean always;
    final Path folder;
    final Labels labels;
    final OpenFile file;
    Reading<Double> latest;

    Slot(EfaCounter counter, boolean always, Path folder, Labels labels) {
      this.counter = counter;
      this.always = always;
      this.folder = folder;
      this.labels = labels;
      this.file = new OpenFile(folder, counter.file());
      this.latest = skipped();
    }

    final Reading<Double> skipped() {
      return new Reading.Missing<>(counter.file());
    }
  }

  EfaCounters(EfaDevice device, CounterDemand demand) {
    this.demand = demand;
    this.deviceFolder = device.file(FOLDER);
    this.portFolder = device.file("ports/" + PORT + "/" + FOLDER);
    this.ofDevice = device.labels();
    this.ofPort = device.labels().with(EfaMetrics.PORT, PORT);
  }

  Labels ofPort() {
    return ofPort;
  }

  /** Finds the files, if their names have changed. */
  void discover() {
    String[] ofPortNow = portFolder.toFile().list();
    String[] ofDeviceNow = deviceFolder.toFile().list();
    if (ofPortNow == null
        || !Arrays.equals(ofPortNow, listedOfPort)
        || !Arrays.equals(ofDeviceNow, listedOfDevice)) {
      find();
      listedOfPort = ofPortNow;
      listedOfDevice = ofDeviceNow;
    }
  }

  /** A name in both folders is taken from that of its own level. */
  private void find() {
    portNames = names(portFolder);
    Set<String> deviceNames = names(deviceFolder).toOptional().orElse(Set.of());
    List<Slot> found = new ArrayList<>();
    for (EfaCounter counter : EfaCounter.ALL) {
      folder(counter, deviceNames, portNames.toOptional().orElse(Set.of()))
          .ifPresent(folder -> found.add(slot(counter, folder)));
    }
    slots.stream().filter(slot -> !found.contains(slot)).forEach(slot -> slot.file.close());
    slots = List.copyOf(found);
    hasPortCounters = found.stream().anyMatch(slot -> slot.counter.ofPort());
  }

  private static Reading<Set<String>> names(Path folder) {
    return Folder.of(folder).map(listed -> Set.copyOf(listed.names()));
  }

  private Optional<Path> folder(EfaCounter counter, Set<String> ofDevice, Set<String> ofPort) {
    boolean atDevice = ofDevice.contains(counter.file());
    boolean atPort = ofPort.contains(counter.file());
    if (!atDevice && !atPort) {
      return Optional.empty();
    }
    boolean port = counter.ofPort() ? atPort : !atDevice;
    return Optional.of(port ? portFolder : deviceFolder);
  }

  private Slot slot(EfaCounter counter, Path folder) {
    return slots.stream()
        .filter(known -> known.counter.file().equals(counter.file()) && known.folder.equals(folder))
        .findFirst()
        .orElseGet(
            () ->
                new Slot(
                    counter,
                    demand.always().test(counter.metric()),
                    folder,
                    counter.ofPort() ? ofPort : ofDevice));
  }

  /** Reads the counters that are in demand; returns why none could be read. */
  Optional<String> read() {
    if (!hasPortCounters) {
      discover();
    }
    String why = "gone";
    boolean answered = slots.isEmpty();
    boolean timedOut = false;
    boolean all = demand.everything().getAsBoolean() || round % CounterDemand.ROUNDS == 0;
    round++;
    for (Slot slot : slots) {
      if (!all && !slot.always && slot.latest instanceof Reading.Present) {
        continue;
      }
      boolean skip = timedOut && slot.folder.equals(portFolder);
      slot.latest = skip ? slot.skipped() : slot.file.number(buffer);
      if (slot.latest instanceof Reading.Present) {
        answered = true;
      } else if (slot.latest instanceof Reading.Failed<Double> failed) {
        why = failed.reason();
        timedOut |= why.equals(TIMED_OUT);
      }
    }
    return answered ? Optional.empty() : Optional.of(why);
  }

  void put(SampleSink sink) {
    for (Slot slot : slots) {
      sink.put(slot.counter.metric(), slot.labels, slot.latest);
    }
    if (!hasPortCounters) {
      sink.failed(portFolder.toString(), portNames.failure().orElse("missing"));
    }
  }

  @Override
  public void close() {
    slots.forEach(slot -> slot.file.close());
  }

  /** A counter; drivers before 1.14 have those of the port at the device too. */
  record EfaCounter(String file, Metric metric, boolean ofPort) {

    /** Device counters first: the driver caches them, so reading does not query the device. */
    static final List<EfaCounter> ALL = Stream.concat(allOfDevice(), allOfPort()).toList();

    private static Stream<EfaCounter> allOfDevice() {
      return Stream.of(
              Map.entry("submitted_cmds", EfaMetrics.SUBMITTED_COMMANDS),
              Map.entry("completed_cmds", EfaMetrics.COMPLETED_COMMANDS),
              Map.entry("cmds_err", EfaMetrics.COMMAND_ERRORS),
              Map.entry("no_completion_cmds", EfaMetrics.COMMANDS_WITHOUT_COMPLETION),
              Map.entry("keep_alive_rcvd", EfaMetrics.KEEP_ALIVES),
              Map.entry("alloc_pd_err", EfaMetrics.ALLOC_PD_ERRORS),
              Map.entry("create_qp_err", EfaMetrics.CREATE_QP_ERRORS),
              Map.entry("create_cq_err", EfaMetrics.CREATE_CQ_ERRORS),
              Map.entry("reg_mr_err", EfaMetrics.REG_MR_ERRORS),
              Map.entry("alloc_ucontext_err", EfaMetrics.ALLOC_UCONTEXT_ERRORS),
              Map.entry("create_ah_err", EfaMetrics.CREATE_AH_ERRORS),
              Map.entry("mmap_err", EfaMetrics.MMAP_ERRORS),
              Map.entry("alloc_mr_err", EfaMetrics.ALLOC_MR_ERRORS),
              Map.entry("get_dma_mr_err", EfaMetrics.GET_DMA_MR_ERRORS))
          .map(counter -> new EfaCounter(counter.getKey(), counter.getValue(), false));
    }

    private static Stream<EfaCounter> allOfPort() {
      return MetricCatalogue.of(EfaMetrics.class).metrics().stream()
          .filter(metric -> metric.foreign() && metric.labels().contains(EfaMetrics.PORT))
          .map(
              metric ->
                  new EfaCounter(
                      metric.name().substring(EfaMetrics.FOREIGN.length()), metric, true));
    }
  }
}
