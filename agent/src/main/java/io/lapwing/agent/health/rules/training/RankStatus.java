package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Subject;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import io.lapwing.training.TrainingSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A verified rank that answers: any user may claim any rank.
 *
 * @param job as in its label; a dash if unknown
 * @param run as in its label
 * @param rank of the job
 * @param uuid of its GPU; empty if unknown
 * @param gpu for display, {@code GPU 3 (GPU-...)}; empty if unknown
 * @param stage of the pipeline; empty without pipeline stages
 * @param pid of its process; empty if unknown
 * @param worldSize the ranks of its job on all nodes; 0 if unknown
 * @param owner the uid; ranks of two users are not siblings, even with the same job name
 */
record RankStatus(
    PartStatus part,
    String job,
    String run,
    String rank,
    String uuid,
    String gpu,
    String stage,
    String pid,
    int worldSize,
    double owner) {

  /** As in the names of ranks that their loop does not report. */
  private static final String UNKNOWN = "-";

  static List<RankStatus> all(NodeSnapshot view) {
    return view.parts(TrainingSource.KIND).stream()
        .filter(PartStatus::answers)
        .filter(part -> part.values().get(TrainingMetrics.VERIFIED).orElse(0) == 1)
        .map(part -> of(part, view))
        .toList();
  }

  /** The ranks of each job; two users may have a job of one name. */
  static List<List<RankStatus>> byJob(List<RankStatus> ranks) {
    Map<List<Object>, List<RankStatus>> jobs = new LinkedHashMap<>();
    ranks.forEach(
        rank -> jobs.computeIfAbsent(rank.siblings(), unseen -> new ArrayList<>()).add(rank));
    return List.copyOf(jobs.values());
  }

  /** The ranks of each pipeline stage of each job, which do the same work. */
  static List<List<RankStatus>> byStage(List<RankStatus> ranks) {
    Map<List<Object>, List<RankStatus>> stages = new LinkedHashMap<>();
    ranks.forEach(
        rank ->
            stages
                .computeIfAbsent(
                    List.of(rank.siblings(), rank.stage()), unseen -> new ArrayList<>())
                .add(rank));
    return List.copyOf(stages.values());
  }

  /** Equal for ranks that work together: loops without a launcher work alone. */
  List<Object> siblings() {
    boolean alone = rank.startsWith(UNKNOWN) || worldSize == 1;
    return List.of(job, run, owner, alone ? part.name() : "");
  }

  /** {@code training:4711}, and {@code training:4711//run} while another run of it is here. */
  static Subject ofJob(String job, String run, NodeSnapshot view) {
    boolean only =
        all(view).stream().allMatch(rank -> !rank.job.equals(job) || rank.run.equals(run));
    return new Subject.Part(TrainingSource.KIND, only ? job : job + "//" + run);
  }

  private static RankStatus of(PartStatus part, NodeSnapshot view) {
    String[] names = part.name().split("/", 3);
    List<String> info =
        part.values().all(TrainingMetrics.INFO).keySet().stream().findFirst().orElse(List.of());
    return new RankStatus(
        part,
        names[0],
        own(part, "run"),
        names.length > 1 ? names[1] : "",
        label(info, "UUID"),
        gpu(label(info, "UUID"), view),
        label(info, "pp_rank"),
        label(info, "pid"),
        number(label(info, "world_size")),
        part.values().get(TrainingMetrics.OWNER).orElse(-1));
  }

  /** Selects from the labels after those that every series of a rank has. */
  private static String label(List<String> info, String name) {
    int own = TrainingMetrics.STEPS.labels().size();
    int at = TrainingMetrics.INFO.labels().indexOf(name) - own;
    return at >= 0 && at < info.size() ? info.get(at) : "";
  }

  /** A label that every series of a rank has. */
  private static String own(PartStatus part, String name) {
    int at = part.labels().names().indexOf(name);
    return at < 0 ? "" : part.labels().values().get(at);
  }

  private static int number(String text) {
    return text.matches("[0-9]{1,8}") ? Integer.parseInt(text) : 0;
  }

  static String gpu(String uuid, NodeSnapshot view) {
    return view.gpu(uuid).map(gpu -> gpu.text() + " (" + uuid + ")").orElse(uuid);
  }

  /** {@code rank 3 on GPU 3 (GPU-...)}. */
  String words() {
    return "rank " + rank + (gpu.isEmpty() ? "" : " on " + gpu);
  }

  /** {@code rank 3 (pid 8439) on GPU 3 (GPU-...)}. */
  String wordsWithPid() {
    return words(rank, pid, gpu);
  }

  /** {@code rank 3 (pid 8439) on GPU 3 (GPU-...) at train.py:88 forward}. */
  String wordsWithFrame() {
    return wordsWithPid() + (frame().isEmpty() ? "" : " at " + frame());
  }

  /** The stack frame of its loop, if it finishes no step and reports it. */
  String frame() {
    return part.values().all(TrainingMetrics.FRAME).keySet().stream()
        .flatMap(labels -> labels.stream().limit(1))
        .findFirst()
        .orElse("");
  }

  static String words(String rank, String pid, String gpu) {
    return "rank "
        + rank
        + (pid.isEmpty() ? "" : " (pid " + pid + ")")
        + (gpu.isEmpty() ? "" : " on " + gpu);
  }

  double value(Metric metric) {
    return part.values().get(metric).orElse(Double.NaN);
  }
}
