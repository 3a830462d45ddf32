package io.lapwing.agent.corpus;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.Severity;
import io.lapwing.table.CsvTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Months of nodes on which cases of the corpus occur at random, by the rates in {@code rates.csv}:
 * ordinary events, which healthy nodes have too, and faults. Counts what the agent says of either.
 */
final class NodeMonths {

  private static final int HOURS = 30 * 24;
  private static final List<String> PROGRAMS = List.of("python3", "torchrun", "lammps", "vllm");

  private record Kind(String name, boolean fault, double perMonth, List<Case> cases) {}

  private record Occurrence(double hour, Kind kind, long seed) {}

  /** What was said of ordinary events, of faults, and after the action that a fault asked for. */
  enum Count {
    ORDINARY("ordinary events"),
    ALARM("of them a new finding that is not `info`"),
    FAILING("of them `failing`"),
    ACTION("of them a reset, reboot or replacement asked"),
    FAULTS("faults"),
    RIGHT("of them with the verdict, action and urgency of their label"),
    MORE("of them judged worse than labelled"),
    LESS("of them judged better than labelled"),
    TRACELESS("of them without a trace on the node"),
    REPLACED("replacements asked"),
    REPLACED_EARLY("of them where NVIDIA's catalogue asks for less"),
    REPAIRED("resets and reboots done as asked"),
    STILL_ASKED("of them with an action asked a minute later");

    private final String text;

    Count(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /**
   * What was said in all months of a profile.
   *
   * @param surprises by case and what was said: how often an ordinary event opened a finding that
   *     is not {@code info}, a fault was not judged as labelled, or a repair did not end it
   */
  record Result(Map<Count, Long> counts, Map<String, Long> surprises) {}

  private final Map<Count, Long> counts = new EnumMap<>(Count.class);
  private final Map<String, Long> surprises = new TreeMap<>();
  private final List<Kind> kinds = kinds();
  private final Profile profile;
  private final Path scratch;

  private NodeMonths(Profile profile, Path scratch) {
    this.profile = profile;
    this.scratch = scratch;
  }

  /** The same months under each profile: the seed decides them. */
  static Result of(int months, long seed, Profile profile, Path scratch) throws IOException {
    NodeMonths all = new NodeMonths(profile, scratch);
    for (int month = 0; month < months; month++) {
      all.month(new Random(seed * 1_000_003 + month));
    }
    return new Result(all.counts, all.surprises);
  }

  private static List<Kind> kinds() {
    Map<String, Case> cases =
        Case.all().stream().collect(Collectors.toMap(Case::name, Function.identity()));
    List<Kind> kinds = new ArrayList<>();
    for (CsvTable.Row row : CsvTable.read(Case.class, "/corpus/rates.csv")) {
      List<Case> some = new ArrayList<>();
      for (String name : row.text("cases").split(" +", -1)) {
        if (!name.isEmpty()) {
          Case one = cases.get(name);
          if (one == null) {
            throw new IllegalArgumentException(row.place() + ": no case " + name);
          }
          some.add(one);
        }
      }
      double perMonth =
          Double.parseDouble(row.text("count")) / Double.parseDouble(row.text("per_node_months"));
      kinds.add(new Kind(row.text("name"), row.text("kind").equals("fault"), perMonth, some));
    }
    return kinds;
  }

  private void month(Random random) throws IOException {
    List<Occurrence> occurrences = new ArrayList<>();
    for (Kind kind : kinds) {
      double hour = wait(kind, random);
      while (hour < HOURS) {
        occurrences.add(new Occurrence(hour, kind, random.nextLong()));
        hour += wait(kind, random);
      }
    }
    occurrences.sort(Comparator.comparingDouble(Occurrence::hour));
    Path procfs = Files.createTempDirectory(scratch, "proc");
    Steps node = node(procfs);
    double last = 0;
    for (Occurrence one : occurrences) {
      node.sleep(Duration.ofSeconds((long) ((one.hour() - last) * 3_600)));
      last = one.hour();
      if (one.kind().fault()) {
        fault(one, node);
        node = node(procfs);
      } else {
        ordinary(one, node);
      }
    }
  }

  private static double wait(Kind kind, Random random) {
    return -Math.log(1 - random.nextDouble()) / kind.perMonth() * HOURS;
  }

  private Steps node(Path procfs) {
    CorpusNode node = new CorpusNode("NVIDIA H100 80GB HBM3", "570.133.20");
    Steps steps = Steps.onNode(new LivePlay(node, profile, "570.133.20", procfs), procfs);
    steps.start();
    return steps;
  }

  private void ordinary(Occurrence one, Steps node) throws IOException {
    Set<String> before = new HashSet<>();
    alarms(node.settled()).forEach(finding -> before.add(finding.rule()));
    Case played = play(one, node);
    List<Finding> opened = new ArrayList<>(alarms(node.settled()));
    opened.removeIf(finding -> before.contains(finding.rule()));
    count(Count.ORDINARY, true);
    count(Count.ALARM, !opened.isEmpty());
    opened.forEach(finding -> surprise(played, said(finding)));
    count(Count.FAILING, opened.stream().anyMatch(NodeMonths::isFailing));
    count(Count.ACTION, opened.stream().anyMatch(NodeMonths::takesNode));
  }

  private void fault(Occurrence one, Steps node) throws IOException {
    count(Count.FAULTS, true);
    if (one.kind().cases().isEmpty()) {
      count(Count.TRACELESS, true);
      return;
    }
    Case fault = play(one, node);
    Label label = label(fault, profile);
    Label said = Judgement.said(node.settled());
    Outcome outcome =
        label.compare(new Label(said.verdict(), said.action(), said.urgency(), label.causes()));
    if (outcome != Outcome.RIGHT) {
      surprise(fault, outcome.text() + ": " + said);
    }
    count(Count.RIGHT, outcome == Outcome.RIGHT);
    count(Count.MORE, outcome == Outcome.TAKEN);
    count(Count.LESS, outcome == Outcome.KEPT);
    boolean replaced = said.action() == Action.REPLACE_NODE;
    count(Count.REPLACED, replaced);
    count(
        Count.REPLACED_EARLY,
        replaced && label(fault, Profile.NVIDIA).action() != Action.REPLACE_NODE);
    // What a case set as a value stays: only what the kernel log reported ends by the repair.
    boolean repairable = said.action() == Action.RESET_GPU || said.action() == Action.REBOOT_NODE;
    if (fault.replayed() && repairable) {
      repair(said.action(), fault, one, node);
    }
  }

  private void repair(Action action, Case fault, Occurrence one, Steps node) throws IOException {
    int gpu = (3 + new Random(one.seed()).nextInt(8)) % 8;
    node.all("repair", List.of(action == Action.RESET_GPU ? "reset " + gpu : "boot", "wait 1m"));
    count(Count.REPAIRED, true);
    Label after = Judgement.said(node.settled());
    boolean held = after.action().covers(Action.RESET_GPU);
    count(Count.STILL_ASKED, held);
    if (held) {
      surprise(fault, "after the repair: " + after);
    }
  }

  /** The label of a case whose faults the profiles do not tell apart is that of all. */
  private static Label label(Case one, Profile profile) {
    Map<Profile, Label> labels = one.labels();
    Label aws = labels.getOrDefault(Profile.AWS, Label.HEALTHY);
    return switch (profile) {
      case AWS -> aws;
      case NVIDIA -> labels.getOrDefault(Profile.NVIDIA, aws);
      case BALANCED ->
          labels.getOrDefault(Profile.BALANCED, labels.getOrDefault(Profile.NVIDIA, aws));
    };
  }

  /** On any GPU, by any program, with another process; lasts a minute more. */
  private static Case play(Occurrence occurrence, Steps node) throws IOException {
    Random random = new Random(occurrence.seed());
    int shift = random.nextInt(8);
    int pid = 1_000 + random.nextInt(1_000_000);
    String program = pick(PROGRAMS, random);
    Case one = pick(occurrence.kind().cases(), random);
    List<String> steps = new ArrayList<>();
    for (String step : one.steps()) {
      String text = step.replaceAll("name=(?:python3|train\\.3)", "name=" + program);
      steps.add(shifted(text.replaceAll("pid=\\d+", "pid=" + pid), shift));
    }
    steps.add("wait 1m");
    node.all(one.name(), steps);
    return one;
  }

  /** With other GPUs: {@code {3}} in a message, {@code set 3} and {@code gpu 3} as steps. */
  private static String shifted(String step, int by) {
    String[] words = step.split(" ", -1);
    if (words[0].equals("set") || words[0].equals("gpu")) {
      words[1] = Integer.toString((Integer.parseInt(words[1]) + by) % 8);
      return String.join(" ", words);
    }
    return Arrays.stream(step.split("(?=\\{\\d})", -1))
        .map(part -> part.matches("(?s)\\{\\d}.*") ? shiftedAddress(part, by) : part)
        .collect(Collectors.joining());
  }

  private static String shiftedAddress(String part, int by) {
    return "{" + (part.charAt(1) - '0' + by) % 8 + part.substring(2);
  }

  private static <T> T pick(List<T> from, Random random) {
    return from.get(random.nextInt(from.size()));
  }

  private static String said(Finding finding) {
    Disposition disposition = finding.disposition();
    return String.join(
        " ",
        disposition.severity().text(),
        disposition.action().text(),
        disposition.urgency().text() + ":",
        finding.rule());
  }

  private void surprise(Case one, String said) {
    surprises.merge(
        one.name() + " | " + said.replaceAll("(gpu|nvswitch|node):\\S+", "$1"), 1L, Long::sum);
  }

  private void count(Count what, boolean is) {
    counts.merge(what, is ? 1L : 0L, Long::sum);
  }

  private static List<Finding> alarms(HealthReport report) {
    return report.findings().stream()
        .filter(finding -> finding.disposition().severity() != Severity.INFO)
        .toList();
  }

  private static boolean isFailing(Finding finding) {
    return finding.disposition().severity() == Severity.FAILING;
  }

  private static boolean takesNode(Finding finding) {
    return finding.disposition().action().covers(Action.RESET_GPU);
  }
}
