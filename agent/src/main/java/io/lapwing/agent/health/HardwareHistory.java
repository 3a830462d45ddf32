package io.lapwing.agent.health;

import io.lapwing.agent.events.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The episodes of hardware faults of each GPU and of the node, from the event log. An episode is a
 * finding, degraded or failing, that asked for a reset (score 1), a reboot (2) or a replacement
 * (4); findings within an hour of its start belong to it, and the highest score counts. UUIDs
 * identify boards, so a board that returns has its history again.
 */
public final class HardwareHistory {

  /** The retention of the event log. */
  public static final Duration WINDOW = Duration.ofDays(90);

  /** The rule that evaluates these scores; its own findings are no episodes. */
  public static final String RULE = "gpu_repeat_offender";

  private static final Duration APART = Duration.ofHours(1);
  private static final Set<String> SEVERITIES =
      Set.of(Severity.DEGRADED.text(), Severity.FAILING.text());
  private static final Map<String, Integer> SCORES =
      Map.of(
          Action.RESET_GPU.text(), 1, Action.REBOOT_NODE.text(), 2, Action.REPLACE_NODE.text(), 4);

  /** Rules that require a remediation without a fault of this machine's hardware. */
  private static final Set<String> NO_FAULTS =
      Set.of(RULE, "maintenance_scheduled", "spot_interrupted");

  private static final String FILE_SYSTEM = "lustre_";

  private record Episode(Instant at, int score) {}

  private final Map<String, List<Episode>> episodes = new HashMap<>();

  /** When each finding opened, by rule and subject: an escalation belongs to that episode. */
  private final Map<List<String>, Instant> opened = new HashMap<>();

  private final Map<String, String> serials = new HashMap<>();
  private final MachineChanges machines = new MachineChanges();

  private HardwareHistory() {}

  /** Of events, oldest first. */
  public static HardwareHistory of(List<Event> events) {
    HardwareHistory history = new HardwareHistory();
    events.forEach(history::add);
    return history;
  }

  private void add(Event event) {
    if (machines.isChange(event)) {
      episodes.remove(Subject.NODE.text());
    } else if (event instanceof Event.OperatorCleared cleared) {
      clear(cleared);
    } else if (event instanceof Event.GpuIdentified gpu) {
      serials.put(new Subject.Gpu(gpu.gpu()).text(), gpu.serial());
    } else if (event instanceof Event.FindingOpened finding) {
      List<String> key = List.of(finding.rule(), finding.subject());
      // Two agents that recorded one after the other may both have opened it.
      Instant start =
          Optional.ofNullable(opened.get(key))
              .filter(before -> !finding.since().isAfter(before))
              .orElse(finding.at());
      opened.put(key, start);
      int score = score(finding.rule(), finding.severity(), finding.action());
      add(finding.subject(), new Episode(start, score));
    } else if (event instanceof Event.FindingEscalated finding) {
      int score = score(finding.rule(), finding.severity(), finding.action());
      Instant start = opened.getOrDefault(List.of(finding.rule(), finding.subject()), finding.at());
      add(finding.subject(), new Episode(start, score));
    }
  }

  private static int score(String rule, String severity, String action) {
    boolean counts =
        SEVERITIES.contains(severity) && !NO_FAULTS.contains(rule) && !rule.startsWith(FILE_SYSTEM);
    return counts ? SCORES.getOrDefault(action, 0) : 0;
  }

  private void add(String subject, Episode next) {
    if (next.score() > 0) {
      merge(Subject.NODE.text(), next);
      if (Subject.parse(subject) instanceof Subject.Gpu) {
        merge(subject, next);
      }
    }
  }

  /** An escalation may belong to an episode before the last one. */
  private void merge(String subject, Episode next) {
    List<Episode> before = episodes.computeIfAbsent(subject, unseen -> new ArrayList<>());
    for (int i = before.size() - 1; i >= 0; i--) {
      Episode same = before.get(i);
      if (Duration.between(same.at(), next.at()).abs().compareTo(APART) < 0) {
        before.set(i, new Episode(same.at(), Math.max(same.score(), next.score())));
        return;
      }
    }
    before.add(next);
    before.sort(Comparator.comparing(Episode::at));
  }

  /** A clear of one other rule acknowledges a finding, and leaves the history as it is. */
  private void clear(Event.OperatorCleared cleared) {
    if (!cleared.rule().isEmpty() && !cleared.rule().equals(RULE)) {
      return;
    }
    if (cleared.subject().isEmpty()) {
      episodes.clear();
    } else {
      episodes.remove(cleared.subject());
    }
  }

  /**
   * The episodes of one subject within {@link #WINDOW}.
   *
   * @param subject {@code node} or {@code gpu:GPU-...}
   * @param serial of the board; empty for the node, and where NVML has none
   * @param earlier the score without the last episode
   * @param last when the last episode started
   */
  public record Tally(
      String subject, String serial, int count, int score, int earlier, Instant last) {}

  /** Empty without an episode. */
  public Optional<Tally> tally(String subject, Instant now) {
    Instant from = now.minus(WINDOW);
    List<Episode> recent =
        episodes.getOrDefault(subject, List.of()).stream()
            .filter(episode -> episode.at().isAfter(from))
            .toList();
    if (recent.isEmpty()) {
      return Optional.empty();
    }
    Episode last = recent.get(recent.size() - 1);
    int score = recent.stream().mapToInt(Episode::score).sum();
    return Optional.of(
        new Tally(
            subject,
            serials.getOrDefault(subject, ""),
            recent.size(),
            score,
            score - last.score(),
            last.at()));
  }

  /** Of the node and of each of its GPUs that had one, in the order of the GPUs. */
  public List<Tally> tallies(NodeSnapshot view) {
    if (episodes.isEmpty()) {
      return List.of();
    }
    List<Tally> all = new ArrayList<>(tally(Subject.NODE.text(), view.now()).stream().toList());
    view.gpus().forEach(gpu -> tally(gpu.subject().text(), view.now()).ifPresent(all::add));
    return all;
  }

  /** Reads the events again only after new ones. Used by one thread. */
  public static final class Cache {

    private int count;
    private Optional<Event> last = Optional.empty();
    private HardwareHistory known = new HardwareHistory();

    public HardwareHistory of(History history) {
      List<Event> events = history.events();
      Optional<Event> newest =
          events.isEmpty() ? Optional.empty() : Optional.of(events.get(events.size() - 1));
      if (events.size() != count || !newest.equals(last)) {
        known = HardwareHistory.of(events);
        count = events.size();
        last = newest;
      }
      return known;
    }
  }
}
