package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.ArrayTasks;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.QueuedJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Jobs by squeue. Only fields that no user can set are read: the name of a job may contain
 * anything, line breaks included. A field without a width is never truncated.
 */
final class SlurmJobs implements JobAccess {

  /** All in which a job holds nodes, or still occupies them. */
  private static final String ON_NODES = "R,CG,CF,S,ST,SO,SI,RS";

  private static final String RUNNING =
      "JobArrayID:|,HetJobID:|,UserName:|,NumNodes:|,tres-alloc:|,tres-per-job:|,tres-per-node:|"
          + ",NodeList:|,JobID:|";
  private static final String QUEUED =
      "JobArrayID:|,HetJobID:|,UserName:|,NumNodes:|,tres-alloc:|,tres-per-job:|,tres-per-node:|"
          + ",Partition:|,Account:|,QOS:|,SubmitTime:|,EligibleTime:|,Reason:|";

  private static final String RESTART =
      "JobArrayID:|,HetJobID:|,BatchFlag:|,Requeue:|,RestartCnt:|,StateCompact:|";

  /** It has ended, or was cancelled, and still holds its nodes: its processes, or its files. */
  private static final Set<String> ENDED = Set.of("CG", "SO");

  private static final Set<String> SUSPENDED = Set.of("S", "ST");

  private final SlurmCommands slurm;
  private String last = "";
  private List<Job> running = List.of();

  SlurmJobs(SlurmCommands slurm) {
    this.slurm = slurm;
  }

  @Override
  public List<Job> running() throws UnreadableAnswer {
    String answer = ask(ON_NODES, RUNNING);
    if (!answer.equals(last)) {
      running = jobs(answer);
      last = answer;
    }
    return running;
  }

  private static List<Job> jobs(String answer) throws UnreadableAnswer {
    Map<String, Job> jobs = new TreeMap<>();
    for (List<String> line : lines(answer, 9)) {
      Job job =
          new Job(id(line), none(line.get(2)), nodes(line.get(7)), gpus(line), Set.of(line.get(8)));
      jobs.merge(job.id(), job, Job::with);
    }
    return List.copyOf(jobs.values());
  }

  /**
   * Whether Slurm starts a job again.
   *
   * @param batch whether it has a script that can be started again
   * @param permitted whether its owner and the configuration permit that
   * @param count how often it was started again
   * @param ended whether it has ended already: Slurm would start that again, too
   * @param suspended by {@code scontrol suspend} or a preemption: it makes no steps
   */
  record Restart(boolean batch, boolean permitted, long count, boolean ended, boolean suspended) {

    private Restart joined(Restart other) {
      // Only the first component of a heterogeneous job has the script.
      return new Restart(
          batch || other.batch,
          permitted && other.permitted,
          Math.max(count, other.count),
          ended || other.ended,
          suspended || other.suspended);
    }

    /** Why it does not; empty if it does. */
    Optional<String> impossible() {
      if (ended) {
        return Optional.of(
            "has ended, or was cancelled, and its processes hang: it may not start again");
      }
      if (suspended) {
        return Optional.of("is suspended, and makes no steps for that reason");
      }
      if (!batch) {
        return Optional.of("is interactive: Slurm would not start it again");
      }
      return permitted
          ? Optional.empty()
          : Optional.of("may not be started again (Requeue=0): only its owner can end it");
    }
  }

  /** Of a job on nodes; empty if there is none with that id. */
  Optional<Restart> restart(String id) throws UnreadableAnswer {
    Optional<Restart> found = Optional.empty();
    for (List<String> line : lines(ask(ON_NODES, RESTART), 6)) {
      if (id(line).equals(id)) {
        Restart one =
            new Restart(
                number(line.get(2)) > 0,
                number(line.get(3)) > 0,
                number(line.get(4)),
                ENDED.contains(line.get(5)),
                SUSPENDED.contains(line.get(5)));
        found = Optional.of(found.map(one::joined).orElse(one));
      }
    }
    return found;
  }

  private static long number(String text) throws UnreadableAnswer {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new UnreadableAnswer("not a number", text);
    }
  }

  @Override
  public List<QueuedJob> queued() throws UnreadableAnswer {
    List<QueuedJob> jobs = new ArrayList<>();
    for (List<String> line : lines(ask("PD", QUEUED), 13)) {
      jobs.add(
          new QueuedJob(
              line.get(0),
              none(line.get(2)),
              Set.copyOf(Arrays.asList(line.get(7).split(",", -1))),
              none(line.get(8)),
              none(line.get(9)),
              none(line.get(12)),
              SlurmTime.parse(line.get(10)),
              SlurmTime.parse(line.get(11)),
              count(line),
              gpus(line),
              tasks(line.get(0))));
    }
    return jobs;
  }

  /** 1 if it is no array, or one task of it. */
  static long tasks(String id) throws UnreadableAnswer {
    return id.contains("[")
        ? ArrayTasks.parse(id)
            .orElseThrow(() -> new UnreadableAnswer("not a list of array tasks", id))
            .count()
        : 1;
  }

  private String ask(String states, String format) throws UnreadableAnswer {
    return slurm.askSqueue(
        "--all",
        "--local",
        "--noheader",
        "--noconvert",
        "--states=" + states,
        "--Format=" + format);
  }

  private static List<List<String>> lines(String text, int fields) throws UnreadableAnswer {
    List<List<String>> lines = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (!line.isBlank()) {
        lines.add(fields(line, fields));
      }
    }
    return lines;
  }

  private static List<String> fields(String line, int count) throws UnreadableAnswer {
    List<String> fields = List.of(line.stripTrailing().split("\\|", -1));
    boolean job = !fields.get(0).isEmpty() && Character.isDigit(fields.get(0).charAt(0));
    if (!job || fields.size() != count + 1 || !fields.get(count).isEmpty()) {
      throw new UnreadableAnswer("not a job as squeue prints it", line);
    }
    return fields.subList(0, count).stream().map(String::strip).toList();
  }

  private static String id(List<String> line) {
    return none(line.get(1)).isEmpty() ? line.get(0) : line.get(1);
  }

  private static Set<NodeName> nodes(String list) throws UnreadableAnswer {
    String names = none(list);
    return names.isEmpty() ? Set.of() : Set.copyOf(HostList.expand(names));
  }

  private static int gpus(List<String> line) throws UnreadableAnswer {
    return GpuCount.ofJob(line.get(4), line.get(5), line.get(6), count(line));
  }

  /** The smallest number, where a job takes several. */
  private static int count(List<String> line) throws UnreadableAnswer {
    try {
      return Integer.parseInt(line.get(3).split("-", 2)[0]);
    } catch (NumberFormatException e) {
      throw new UnreadableAnswer("not a number of nodes", line.get(3));
    }
  }

  /** Slurm's words for nothing. */
  private static String none(String text) {
    return Set.of("N/A", "(null)", "n/a", "None").contains(text) ? "" : text;
  }
}
