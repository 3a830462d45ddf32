package io.lapwing.bench.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmLink;
import io.lapwing.dcgm.DcgmValues;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The NVSwitches that the engine sees, and their links. */
final class DcgmSwitchRecording {

  private static final String SWITCHES = "DCGM NVSwitches";
  private static final String LINKS = "DCGM links of NVSwitches";
  private static final int SECONDS = 2;
  private static final String BLANK = "blank";

  /** What the simulator can have; lines behind these are not read. */
  private static final int LINES_MAX = 1000;

  private static final Map<DcgmFieldId, String> SXIDS =
      new EnumMap<>(
          Map.of(
              DcgmFieldId.DEV_NVSWITCH_FATAL_ERRORS, "fatal",
              DcgmFieldId.DEV_NVSWITCH_NON_FATAL_ERRORS, "non_fatal"));

  private static final Map<DcgmFieldId, String> OF_SWITCHES =
      new EnumMap<>(
          Map.of(
              DcgmFieldId.DEV_NVSWITCH_TEMPERATURE_CURRENT, "temperature",
              DcgmFieldId.DEV_NVSWITCH_POWER_VDD, "power",
              DcgmFieldId.DEV_NVSWITCH_RESET_REQUIRED, "reset_required"));

  private static final Map<DcgmFieldId, String> OF_LINKS =
      new EnumMap<>(
          Map.of(
              DcgmFieldId.DEV_NVSWITCH_LINK_STATUS, "status",
              DcgmFieldId.DEV_NVSWITCH_LINK_THROUGHPUT_TX, "tx",
              DcgmFieldId.DEV_NVSWITCH_LINK_THROUGHPUT_RX, "rx",
              DcgmFieldId.DEV_NVSWITCH_LINK_FATAL_ERRORS, "fatal",
              DcgmFieldId.DEV_NVSWITCH_LINK_NON_FATAL_ERRORS, "non_fatal",
              DcgmFieldId.DEV_NVSWITCH_LINK_REPLAY_ERRORS, "replay",
              DcgmFieldId.DEV_NVSWITCH_LINK_RECOVERY_ERRORS, "recovery",
              DcgmFieldId.DEV_NVSWITCH_LINK_CRC_ERRORS, "crc",
              DcgmFieldId.DEV_NVSWITCH_LINK_ECC_ERRORS, "ecc"));

  private final DcgmEngine engine;
  private final DcgmSampling sampling;
  private final StateLines lines;

  DcgmSwitchRecording(DcgmEngine engine, DcgmSampling sampling, StateLines lines) {
    this.engine = engine;
    this.sampling = sampling;
    this.lines = lines;
  }

  void read() throws InterruptedException {
    Reading<List<DcgmEntity>> listed = engine.entities(DcgmEntity.Kind.NVSWITCH);
    List<DcgmEntity> switches = listed.toOptional().orElse(List.of());
    lines.put("dcgm.switches", String.valueOf(switches.size()));
    if (switches.isEmpty()) {
      lines.absent(
          SWITCHES,
          listed instanceof Reading.Present
              ? "the host engine sees none"
              : DcgmSampling.reason(listed));
      return;
    }
    Map<Integer, Integer> numbers = numbers(switches);
    sampling
        .of(SWITCHES, switches, List.copyOf(SXIDS.keySet()), SECONDS)
        .ifPresent(values -> sxids(switches, numbers, values));
    sampling
        .of(SWITCHES, switches, List.copyOf(OF_SWITCHES.keySet()), SECONDS)
        .ifPresent(values -> values(switches, numbers, values));
    lines.has(SWITCHES + ": " + switches.size());
    links(numbers);
  }

  /** The simulator numbers them from 0 on. */
  private Map<Integer, Integer> numbers(List<DcgmEntity> switches) {
    Map<Integer, Integer> numbers = new TreeMap<>();
    for (int id : new TreeSet<>(switches.stream().map(DcgmEntity::id).toList())) {
      if (id != numbers.size()) {
        lines.note("dcgm: NVSwitch " + id + " is number " + numbers.size() + " here");
      }
      numbers.put(id, numbers.size());
    }
    return numbers;
  }

  private void sxids(List<DcgmEntity> switches, Map<Integer, Integer> numbers, DcgmValues values) {
    for (DcgmEntity one : switches) {
      SXIDS.forEach(
          (field, name) ->
              values
                  .get(one, field)
                  .toOptional()
                  .ifPresent(
                      last -> put(numbers, one.id(), name, StateLines.number(last.value()))));
    }
  }

  private void values(List<DcgmEntity> switches, Map<Integer, Integer> numbers, DcgmValues values) {
    for (DcgmEntity one : switches) {
      OF_SWITCHES.forEach((field, name) -> put(numbers, one.id(), name, text(one, field, values)));
    }
  }

  private void put(Map<Integer, Integer> numbers, int id, String name, String value) {
    lines.put("dcgm.switch." + numbers.getOrDefault(id, id) + "." + name, value);
  }

  private static String text(DcgmEntity entity, DcgmFieldId field, DcgmValues values) {
    return values
        .get(entity, field)
        .toOptional()
        .map(sample -> StateLines.number(sample.value()))
        .orElse(BLANK);
  }

  private void links(Map<Integer, Integer> numbers) throws InterruptedException {
    Reading<List<DcgmEntity>> listed = engine.switchLinks();
    List<DcgmEntity> links = listed.toOptional().orElse(List.of());
    if (links.isEmpty()) {
      lines.put("dcgm.ports", "0");
      lines.absent(
          LINKS,
          listed instanceof Reading.Present ? "none is connected" : DcgmSampling.reason(listed));
      return;
    }
    ports(links, numbers);
    Optional<DcgmValues> values =
        sampling.of(LINKS, links, List.copyOf(OF_LINKS.keySet()), SECONDS);
    if (values.isPresent()) {
      int written = 0;
      for (Map.Entry<DcgmFieldId, String> field : OF_LINKS.entrySet()) {
        written += write(links, numbers, field, values.get());
      }
      lines.has(LINKS + ": " + links.size());
      if (written > LINES_MAX) {
        lines.note("dcgm: of " + written + " values of links the simulator has " + LINES_MAX);
      }
    }
  }

  /** A port that is not listed is off. */
  private void ports(List<DcgmEntity> links, Map<Integer, Integer> numbers) {
    List<DcgmLink> ports = links.stream().map(DcgmLink::of).toList();
    int last = ports.stream().mapToInt(DcgmLink::port).max().orElse(-1);
    lines.put("dcgm.ports", String.valueOf(last + 1));
    for (int id : numbers.keySet()) {
      for (int port = 0; port <= last; port++) {
        if (!ports.contains(new DcgmLink(id, port))) {
          lines.put("dcgm.link." + numbers.get(id) + "." + port + ".status", "0");
        }
      }
    }
  }

  /** One line for the value that most links have, and one for each link with another. */
  private int write(
      List<DcgmEntity> links,
      Map<Integer, Integer> numbers,
      Map.Entry<DcgmFieldId, String> field,
      DcgmValues values) {
    boolean status = field.getKey() == DcgmFieldId.DEV_NVSWITCH_LINK_STATUS;
    Map<String, Integer> frequency = new TreeMap<>();
    links.forEach(link -> frequency.merge(text(link, field.getKey(), values), 1, Integer::sum));
    // A line for every port would turn on those that are off; connected ones are active.
    String usual =
        status
            ? "2"
            : frequency.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(BLANK);
    if (!status) {
      lines.put("dcgm.link.*.*." + field.getValue(), usual);
    }
    int written = 1;
    for (DcgmEntity entity : links) {
      DcgmLink link = DcgmLink.of(entity);
      String value = text(entity, field.getKey(), values);
      if (!value.equals(usual)) {
        int number = numbers.getOrDefault(link.nvswitch(), link.nvswitch());
        lines.put("dcgm.link." + number + "." + link.port() + "." + field.getValue(), value);
        written++;
      }
    }
    return written;
  }
}
