package io.lapwing.drain.replay;

import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.slurm.HostList;
import io.lapwing.drain.slurm.UnreadableAnswer;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a table of jobs with a line of titles: {@code job,user,nodes,gpus,start,end}, and if known
 * {@code checkpoints}, the minutes between durable ones. {@code nodes} is a host list of Slurm; one
 * with commas is in double quotes.
 */
final class JobTable {

  private static final String TITLES = "job,user,nodes,gpus,start,end";

  private final Path file;
  private final Set<String> ids = new HashSet<>();
  private long line;
  private List<String> fields = List.of();

  private JobTable(Path file) {
    this.file = file;
  }

  static List<RecordedJob> read(Path file) throws UnreadableRecord, IOException {
    return new JobTable(file).jobs();
  }

  private List<RecordedJob> jobs() throws UnreadableRecord, IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new UnreadableRecord(file, "not UTF-8");
    }
    String titles = lines.isEmpty() ? "" : lines.get(0).strip();
    if (!titles.equals(TITLES) && !titles.equals(TITLES + ",checkpoints")) {
      throw new UnreadableRecord(file, 1, "not " + TITLES + " or " + TITLES + ",checkpoints");
    }
    int columns = titles.split(",", -1).length;
    List<RecordedJob> jobs = new ArrayList<>();
    for (String text : lines) {
      line++;
      if (line > 1 && !text.isBlank()) {
        fields = fields(text);
        if (fields.size() != columns) {
          throw wrong("has " + fields.size() + " fields, and not " + columns);
        }
        jobs.add(job());
      }
    }
    return jobs;
  }

  /** At the commas outside of double quotes. */
  private List<String> fields(String text) throws UnreadableRecord {
    List<String> found = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        found.add(field.toString().strip());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    if (quoted) {
      throw wrong("a double quote is missing");
    }
    found.add(field.toString().strip());
    return found;
  }

  private RecordedJob job() throws UnreadableRecord {
    String id = fields.get(0);
    Instant start = time("start", fields.get(4));
    Optional<Instant> end =
        fields.get(5).isEmpty() ? Optional.empty() : Optional.of(time("end", fields.get(5)));
    if (id.isEmpty() || !ids.add(id + " " + start)) {
      throw wrong("job: missing, or there twice with that start");
    }
    if (end.filter(start::isAfter).isPresent()) {
      throw wrong("end: before the start");
    }
    Job job = new Job(id, fields.get(1), nodes(), (int) number("gpus", fields.get(3), 0));
    return new RecordedJob(job, start, end, interval());
  }

  private Set<NodeName> nodes() throws UnreadableRecord {
    try {
      return new HashSet<>(HostList.expand(fields.get(2)));
    } catch (UnreadableAnswer e) {
      throw wrong("nodes: " + e.why());
    }
  }

  private Optional<Duration> interval() throws UnreadableRecord {
    return fields.size() < 7 || fields.get(6).isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofMinutes(number("checkpoints", fields.get(6), 1)));
  }

  private long number(String title, String text, int least) throws UnreadableRecord {
    if (!text.matches("[0-9]{1,7}") || Long.parseLong(text) < least) {
      throw wrong(title + ": not a whole number of at least " + least);
    }
    return Long.parseLong(text);
  }

  private Instant time(String title, String text) throws UnreadableRecord {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw wrong(title + ": not a time such as 2026-11-25T20:33:05Z");
    }
  }

  private UnreadableRecord wrong(String why) {
    return new UnreadableRecord(file, line, why);
  }
}
