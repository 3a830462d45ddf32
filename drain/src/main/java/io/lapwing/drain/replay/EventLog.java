package io.lapwing.drain.replay;

import com.fasterxml.jackson.databind.JsonNode;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.intake.Json;
import io.lapwing.drain.intake.Json.Unusable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the event log of a node's agent, all of its files in their order; {@code docs/events.md}
 * has the format. Kinds without information about health or repairs are left out.
 */
final class EventLog {

  private static final Set<String> READ =
      Set.of(
          "finding_opened",
          "finding_escalated",
          "finding_closed",
          "finding_confirmation",
          "booted",
          "gpu_reset",
          "machine_replaced",
          "gpu_identified",
          "gpu_removed",
          "maintenance_started",
          "maintenance_ended");

  /** Their times may be days before the agent was installed. */
  private static final Set<String> EARLIER = Set.of("booted", "driver_loaded");

  private final NodeHistory history;
  private final Set<JsonNode> known = new HashSet<>();

  private EventLog(NodeName node) {
    history = new NodeHistory(node);
  }

  /** Of these files, oldest first. */
  static NodeHistory read(NodeName node, List<Path> files) throws UnreadableRecord, IOException {
    EventLog log = new EventLog(node);
    for (Path file : files) {
      log.read(file);
    }
    if (log.history.isEmpty()) {
      throw new UnreadableRecord(files.get(0), "no events");
    }
    return log.history;
  }

  private record Line(JsonNode event, long number) {}

  private void read(Path file) throws UnreadableRecord, IOException {
    List<Line> batch = new ArrayList<>();
    long number = 0;
    // Bytes that are no UTF-8 are no JSON either, and are reported with their line.
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      String text = lines.readLine();
      while (text != null) {
        number++;
        String next = lines.readLine();
        if (next != null || endsWithLineFeed(file)) {
          JsonNode event = parsed(file, number, text);
          batch.add(new Line(event, number));
          if (!event.path("more").asBoolean()) {
            for (Line line : batch) {
              take(file, line);
            }
            batch.clear();
          }
        }
        text = next;
      }
    }
  }

  /** A line without it was being written when the file was copied. */
  private static boolean endsWithLineFeed(Path file) throws IOException {
    try (SeekableByteChannel bytes = Files.newByteChannel(file)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      bytes.position(Math.max(0, bytes.size() - 1));
      return bytes.read(last) == 1 && last.get(0) == '\n';
    }
  }

  private static JsonNode parsed(Path file, long number, String text) throws UnreadableRecord {
    try {
      return Json.object(text.getBytes(StandardCharsets.UTF_8), "event");
    } catch (Unusable e) {
      throw new UnreadableRecord(file, number, String.valueOf(e.getMessage()));
    }
  }

  /** An event that is in two files counts once. */
  private void take(Path file, Line line) throws UnreadableRecord {
    EventFields event = new EventFields(line.event(), file, line.number());
    String kind = event.text("kind");
    if (!line.event().path("carried").asBoolean() && !EARLIER.contains(kind)) {
      history.covers(event.time("at"));
    }
    if (READ.contains(kind) && known.add(event.unmarked())) {
      history.take(kind, event);
    }
  }
}
