package io.lapwing.drain.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.QueuedJob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Jobs by slurmrestd ({@code slurm_job_info_t} in the data parsers of v0.0.38 to v0.0.45). */
record RestJobs(SlurmRest slurm) implements JobAccess {

  /** As in {@link SlurmJobs}: all in which a job holds nodes, or still occupies them. */
  private static final Set<String> ON_NODES =
      Set.of(
          "RUNNING",
          "COMPLETING",
          "CONFIGURING",
          "SUSPENDED",
          "STAGE_OUT",
          "STOPPED",
          "SIGNALING",
          "RESIZING");

  @Override
  public List<Job> running() throws UnreadableAnswer {
    Map<String, Job> jobs = new TreeMap<>();
    for (Optional<Job> one : slurm.list("jobs", "jobs", RestJobs::runningJob)) {
      one.ifPresent(job -> jobs.merge(job.id(), job, Job::with));
    }
    return List.copyOf(jobs.values());
  }

  @Override
  public List<QueuedJob> queued() throws UnreadableAnswer {
    List<QueuedJob> jobs = new ArrayList<>();
    slurm.list("jobs", "jobs", RestJobs::queuedJob).forEach(one -> one.ifPresent(jobs::add));
    return jobs;
  }

  static Optional<Job> runningJob(JsonNode json) throws UnreadableAnswer {
    if (Collections.disjoint(states(json), ON_NODES)) {
      return Optional.empty();
    }
    long whole = RestValue.number(json, "het_job_id").orElse(0L);
    String nodes = RestValue.text(json, "nodes");
    return Optional.of(
        new Job(
            whole > 0 ? Long.toString(whole) : id(json),
            RestValue.text(json, "user_name"),
            nodes.isEmpty() ? Set.of() : Set.copyOf(HostList.expand(nodes)),
            gpus(json),
            Set.of(own(json))));
  }

  static Optional<QueuedJob> queuedJob(JsonNode json) throws UnreadableAnswer {
    if (!states(json).contains("PENDING")) {
      return Optional.empty();
    }
    long whole = RestValue.number(json, "het_job_id").orElse(0L);
    String id =
        whole > 0 ? whole + "+" + RestValue.number(json, "het_job_offset").orElse(0L) : id(json);
    // As squeue does: the words for a person, where there are some.
    String words = RestValue.text(json, "state_description");
    String reason = words.isEmpty() ? RestValue.text(json, "state_reason") : words;
    return Optional.of(
        new QueuedJob(
            id,
            RestValue.text(json, "user_name"),
            RestValue.list(json, "partition"),
            RestValue.text(json, "account"),
            RestValue.text(json, "qos"),
            reason.equals("None") ? "" : reason,
            RestValue.time(json, "submit_time"),
            RestValue.time(json, "eligible_time"),
            nodes(json),
            gpus(json),
            SlurmJobs.tasks(id)));
  }

  private static Set<String> states(JsonNode json) throws UnreadableAnswer {
    Set<String> states = RestValue.words(json, "job_state");
    if (states.isEmpty()) {
      throw new UnreadableAnswer("a job without job_state", json.toString());
    }
    return states;
  }

  /** As squeue prints it: {@code 4711}, {@code 4711_3}, {@code 4711_[4-9]}. */
  private static String id(JsonNode json) throws UnreadableAnswer {
    long array = RestValue.number(json, "array_job_id").orElse(0L);
    String waiting = RestValue.text(json, "array_task_string");
    Optional<Long> task = RestValue.number(json, "array_task_id");
    if (array > 0 && !waiting.isEmpty()) {
      return array + "_[" + waiting + "]";
    }
    if (array > 0 && task.isPresent()) {
      return array + "_" + task.get();
    }
    return own(json);
  }

  private static String own(JsonNode json) throws UnreadableAnswer {
    return Long.toString(
        RestValue.number(json, "job_id")
            .orElseThrow(() -> new UnreadableAnswer("a job without job_id", json.toString())));
  }

  private static int gpus(JsonNode json) throws UnreadableAnswer {
    String allocated = RestValue.text(json, "tres_alloc_str");
    return GpuCount.ofJob(
        allocated.isEmpty() ? RestValue.text(json, "tres_req_str") : allocated,
        RestValue.text(json, "tres_per_job"),
        RestValue.text(json, "tres_per_node"),
        nodes(json));
  }

  private static int nodes(JsonNode json) throws UnreadableAnswer {
    long count = RestValue.number(json, "node_count").orElse(0L);
    return (int) Math.min(count, Integer.MAX_VALUE);
  }
}
