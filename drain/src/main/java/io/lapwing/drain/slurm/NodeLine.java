package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.NodeName;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A line of {@code scontrol show node --oneliner} (slurm_sprint_node_table of 22.05 to 26.05):
 *
 * <pre>
 * NodeName=p5-1 ... OS=Linux 6.1 #1 SMP  ... State=IDLE+DRAIN ... Partitions=p,q  BootTime=... CfgTRES=cpu=2
 *   AllocTRES= CapWatts=n/a ... Reason=any text [root@2026-11-25T18:57:00] Comment=any text Extra=any text
 *   InstanceId=i-0abc InstanceType=p5.48xlarge ...
 * </pre>
 *
 * What people write comes last and may look like any of the fields, so these are only searched for
 * before it.
 */
final class NodeLine {

  /** The first of the last fields that no person writes. */
  private static final String LAST = " AllocTRES=";

  /** Those that may come after it: some or all of these, by version. */
  private static final Set<String> AFTER_LAST =
      Set.of(
          "CapWatts",
          "CurrentWatts",
          "AveWatts",
          "LowestJoules",
          "ConsumedJoules",
          "ExtSensorsJoules",
          "ExtSensorsWatts",
          "ExtSensorsTemp");

  /**
   * The fields that are read; of a thousand nodes in each round, so that the others cost little.
   */
  private static final Set<String> READ =
      Set.of(
          "NodeName",
          "State",
          "Partitions",
          "BootTime",
          "CPUAlloc",
          "CfgTRES",
          "Gres",
          "AvailableFeatures",
          "ActiveFeatures");

  private static final Pattern STAMP =
      Pattern.compile(" \\[([^\\s@\\]]+)@[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}]");
  private static final Pattern COMMENT =
      Pattern.compile(
          ".*? Comment=(.*?)(?: +(?:Extra|InstanceId|InstanceType|ReservationName|TLSCert[A-Za-z]*"
              + "|Topology|Parameters)=.*)?",
          Pattern.DOTALL);
  private static final Pattern INSTANCE = Pattern.compile(".* InstanceId=(\\S+).*", Pattern.DOTALL);
  private static final Pattern INSTANCE_TYPE =
      Pattern.compile(".* InstanceType=(\\S+).*", Pattern.DOTALL);

  /** The fields that people write. */
  private static final Pattern WRITTEN = Pattern.compile(" (?:Reason|Comment|Extra)=");

  private final String line;
  private final Map<String, String> facts = new HashMap<>();
  private final String reason;
  private final String reasonBy;

  /** What comes after the reason. */
  private final String rest;

  private NodeLine(String line) throws UnreadableAnswer {
    this.line = line;
    int end = endOfFacts(line);
    if (end < 0) {
      throw new UnreadableAnswer("not a node as scontrol prints it", line);
    }
    for (int at = 0; at < end; ) {
      int stop = Math.min(endOfWord(line, at), end);
      int equals = line.indexOf('=', at);
      String name = equals < stop ? line.substring(at, equals) : "";
      if (READ.contains(name)) {
        facts.put(name, line.substring(equals + 1, stop));
      }
      at = stop + 1;
    }
    String written = " " + line.substring(end).strip();
    boolean any = written.startsWith(" Reason=");
    Matcher stamp = STAMP.matcher(written);
    boolean stamped = any && stamp.find();
    String text = any ? written.substring(" Reason=".length()) : "";
    this.reason = stamped ? written.substring(" Reason=".length(), stamp.start()) : text;
    this.reasonBy = stamped ? stamp.group(1) : "";
    this.rest = stamped ? written.substring(stamp.end()) : any ? "" : written;
  }

  /** Where the text of people begins; -1 if it is no node. */
  private static int endOfFacts(String line) {
    int last = line.startsWith("NodeName=") ? line.indexOf(LAST) : -1;
    if (last < 0) {
      return -1;
    }
    int end = endOfWord(line, last + 1);
    while (true) {
      int next = end;
      while (line.startsWith(" ", next)) {
        next++;
      }
      int equals = line.indexOf('=', next);
      if (next == end || equals < 0 || !AFTER_LAST.contains(line.substring(next, equals))) {
        return end;
      }
      end = endOfWord(line, next);
    }
  }

  private static int endOfWord(String line, int from) {
    int blank = line.indexOf(' ', from);
    return blank < 0 ? line.length() : blank;
  }

  /** Whether a node begins with that line. */
  static boolean begins(String line) {
    return endOfFacts(line) >= 0;
  }

  /** Whether people have written something about the node that begins with that line. */
  static boolean hasText(String line) {
    return WRITTEN.matcher(line).region(endOfFacts(line), line.length()).find();
  }

  static SlurmNode parse(String line) throws UnreadableAnswer {
    return new NodeLine(line).node();
  }

  private SlurmNode node() throws UnreadableAnswer {
    SlurmState state = SlurmState.parse(fact("State"));
    String partitions = facts.getOrDefault("Partitions", "");
    return new SlurmNode(
        NodeName.parse(fact("NodeName"))
            .orElseThrow(() -> new UnreadableAnswer("not the name of a node", line)),
        state,
        reason,
        reasonBy,
        SlurmPlatform.SLURMCTLD.contains(reasonBy),
        group(COMMENT, rest),
        partitions.isEmpty() ? Set.of() : Set.copyOf(Arrays.asList(partitions.split(",", -1))),
        booted(),
        group(INSTANCE, rest),
        gpus(),
        state.is("COMPLETING") || !fact("CPUAlloc").equals("0"),
        features(),
        group(INSTANCE_TYPE, rest));
  }

  private Set<String> features() {
    return Stream.of("AvailableFeatures", "ActiveFeatures")
        .map(name -> facts.getOrDefault(name, ""))
        .filter(all -> !all.equals("(null)"))
        .flatMap(all -> Arrays.stream(all.split(",", -1)))
        .filter(feature -> !feature.isEmpty())
        .collect(Collectors.toSet());
  }

  private String fact(String name) throws UnreadableAnswer {
    String value = facts.get(name);
    if (value == null || value.isEmpty()) {
      throw new UnreadableAnswer("a node without " + name, line);
    }
    return value;
  }

  private static String group(Pattern pattern, String text) {
    Matcher match = pattern.matcher(text);
    return match.matches() ? match.group(1).strip() : "";
  }

  private int gpus() {
    int counted = GpuCount.ofTres(facts.getOrDefault("CfgTRES", ""));
    return counted > 0 ? counted : GpuCount.ofGres(facts.getOrDefault("Gres", ""));
  }

  /** Empty while the node has not registered. */
  private Optional<Instant> booted() throws UnreadableAnswer {
    return SlurmTime.parse(fact("BootTime"));
  }
}
