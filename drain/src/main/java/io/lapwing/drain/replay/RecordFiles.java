package io.lapwing.drain.replay;

import io.lapwing.drain.cluster.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of a record.
 *
 * @param events logs of agents, {@code NODE=PATH} or a folder with one for each node
 * @param alerts exports of {@code ALERTS}
 * @param size how many nodes the cluster had; empty if the files name all of them
 */
public record RecordFiles(
    List<String> events, List<Path> alerts, Optional<Path> jobs, OptionalInt size) {

  private static final String LOG = ".jsonl";

  public RecordFiles {
    events = List.copyOf(events);
    alerts = List.copyOf(alerts);
  }

  /**
   * Reads all of them.
   *
   * @throws UnreadableRecord if one cannot be used
   * @throws IOException if one cannot be read
   */
  public Recording read() throws UnreadableRecord, IOException {
    List<NodeHistory> histories = new ArrayList<>();
    for (Entry<NodeName, List<Path>> log : logs().entrySet()) {
      histories.add(EventLog.read(log.getKey(), log.getValue()));
    }
    List<AlertExport> exports = alerts.isEmpty() ? List.of() : List.of(AlertExport.read(alerts));
    List<RecordedJob> table = jobs.isPresent() ? JobTable.read(jobs.get()) : List.of();
    return recording(histories, exports, table);
  }

  private Recording recording(
      List<NodeHistory> histories, List<AlertExport> exports, List<RecordedJob> table)
      throws UnreadableRecord {
    List<RecordedNode> nodes = new ArrayList<>(histories.stream().map(NodeHistory::node).toList());
    List<Finding> fired = exports.stream().flatMap(export -> export.alerts().stream()).toList();
    Instant from =
        Stream.concat(
                nodes.stream().map(RecordedNode::from), exports.stream().map(AlertExport::from))
            .min(Instant::compareTo)
            .orElseThrow();
    Instant until =
        Stream.concat(
                histories.stream().map(NodeHistory::last), exports.stream().map(AlertExport::until))
            .max(Instant::compareTo)
            .orElseThrow();
    Set<NodeName> others = new TreeSet<>();
    fired.forEach(alert -> others.add(alert.node()));
    table.forEach(job -> others.addAll(job.job().nodes()));
    nodes.forEach(node -> others.remove(node.name()));
    for (NodeName other : others) {
      List<Finding> own = fired.stream().filter(alert -> alert.node().equals(other)).toList();
      nodes.add(new RecordedNode(other, from, OptionalInt.empty(), own, List.of(), false));
    }
    int all = size.orElse(nodes.size());
    if (all < nodes.size()) {
      throw new UnreadableRecord(
          Path.of("--nodes"), all + " is less than the " + nodes.size() + " nodes of the record");
    }
    List<Finding> asks =
        exports.isEmpty()
            ? nodes.stream().flatMap(node -> node.findings().stream()).toList()
            : fired;
    return new Recording(
        from,
        until,
        nodes,
        all - nodes.size(),
        asks.stream().filter(ask -> ask.takesNodeAt().isPresent()).toList(),
        table,
        histories.stream().mapToLong(NodeHistory::unconfirmed).sum());
  }

  private Map<NodeName, List<Path>> logs() throws UnreadableRecord, IOException {
    Map<NodeName, List<Path>> logs = new TreeMap<>();
    for (String argument : events) {
      int equals = argument.indexOf('=');
      Optional<NodeName> node =
          equals < 0 ? Optional.empty() : NodeName.parse(argument.substring(0, equals));
      if (node.isPresent()) {
        add(logs, node.get(), Path.of(argument.substring(equals + 1)));
      } else {
        addAll(logs, Path.of(argument));
      }
    }
    return logs;
  }

  /** {@code NODE.jsonl}, and folders that are named like their nodes. */
  private static void addAll(Map<NodeName, List<Path>> logs, Path folder)
      throws UnreadableRecord, IOException {
    if (!Files.isDirectory(folder)) {
      throw new UnreadableRecord(folder, "neither a folder nor NODE=PATH");
    }
    int before = logs.size();
    for (Path entry : sorted(folder)) {
      String name = String.valueOf(entry.getFileName());
      boolean log = Files.isDirectory(entry) ? !files(entry).isEmpty() : name.endsWith(LOG);
      Optional<NodeName> node =
          NodeName.parse(
              Files.isDirectory(entry) || !log
                  ? name
                  : name.substring(0, name.length() - LOG.length()));
      if (log && node.isPresent()) {
        add(logs, node.get(), entry);
      }
    }
    if (logs.size() == before) {
      throw new UnreadableRecord(folder, "has neither NODE.jsonl nor NODE/events.jsonl");
    }
  }

  private static void add(Map<NodeName, List<Path>> logs, NodeName node, Path path)
      throws UnreadableRecord, IOException {
    List<Path> files = Files.isDirectory(path) ? files(path) : List.of(path);
    if (files.isEmpty()) {
      throw new UnreadableRecord(path, "has no events.jsonl");
    }
    if (logs.put(node, files) != null) {
      throw new UnreadableRecord(path, "a second log of " + node);
    }
  }

  /** The numbered ones first: their names sort before the current one's. */
  private static List<Path> files(Path folder) throws IOException {
    return sorted(folder).stream()
        .filter(file -> String.valueOf(file.getFileName()).matches("events(-[0-9]+)?\\.jsonl"))
        .toList();
  }

  private static List<Path> sorted(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().collect(Collectors.toList());
    }
  }
}
