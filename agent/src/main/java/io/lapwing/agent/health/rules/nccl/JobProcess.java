package io.lapwing.agent.health.rules.nccl;

import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.jobs.JobNetworkMetrics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One process of {@code lapwing_job_network_info}; unknown members are empty. */
record JobProcess(
    long pid,
    String holder,
    String nodes,
    String network,
    String missing,
    String provider,
    String settings) {

  private static final int MAX_PIDS = 8;

  private static final Map<String, String> LIBRARIES =
      Map.of(
          "libnccl-net",
          "aws-ofi-nccl (libnccl-net) is not loaded",
          "libfabric.so",
          "libnccl-net is not that of aws-ofi-nccl: libfabric is not loaded",
          "libefa.so",
          "libfabric is loaded without its EFA provider (libefa)");

  /** By pid. */
  static List<JobProcess> all(PartStatus part) {
    return part.values().all(JobNetworkMetrics.INFO).keySet().stream()
        .filter(labels -> labels.size() == JobNetworkMetrics.INFO.labels().size())
        .map(JobProcess::of)
        .sorted(Comparator.comparingLong(JobProcess::pid))
        .toList();
  }

  private static JobProcess of(List<String> labels) {
    String job = label(labels, "job_id");
    String pod = label(labels, "pod");
    String user = label(labels, "user");
    String named = user.isEmpty() ? "" : "user " + user;
    String inPod = pod.isEmpty() ? named : "pod " + label(labels, "namespace") + "/" + pod;
    return new JobProcess(
        Long.parseLong(label(labels, "pid")),
        job.isEmpty() ? inPod : "job " + job,
        label(labels, "nodes"),
        label(labels, "network"),
        label(labels, "missing"),
        label(labels, "provider"),
        label(labels, "settings"));
  }

  private static String label(List<String> labels, String name) {
    return labels.get(JobNetworkMetrics.INFO.labels().indexOf(name));
  }

  /** Why NCCL does not use EFA. */
  private String reason() {
    String library = LIBRARIES.get(missing);
    if (library != null) {
      return library;
    }
    return provider.isEmpty() || provider.equals("efa")
        ? ""
        : "libfabric's provider is " + provider;
  }

  /** {@code job 4711 uses NCCL over TCP in processes 20001, 20002 and 6 more: ...}. */
  static String words(List<JobProcess> processes, String what) {
    Map<String, List<JobProcess>> holders = new TreeMap<>();
    processes.forEach(
        one -> holders.computeIfAbsent(one.holder(), unseen -> new ArrayList<>()).add(one));
    List<String> words = new ArrayList<>();
    holders.forEach((holder, all) -> words.add(words(holder, all, what)));
    return String.join("; ", words);
  }

  private static String words(String holder, List<JobProcess> all, String what) {
    List<String> details = new ArrayList<>();
    details.addAll(all.stream().map(JobProcess::reason).distinct().toList());
    details.addAll(all.stream().map(JobProcess::settings).distinct().limit(2).toList());
    details.removeIf(String::isEmpty);
    return "%s uses %s in %s%s"
        .formatted(
            holder.isEmpty() ? "a job" : holder,
            what,
            pids(all),
            details.isEmpty() ? "" : " (" + String.join("; ", details) + ")");
  }

  private static String pids(List<JobProcess> all) {
    List<String> pids =
        new ArrayList<>(all.stream().limit(MAX_PIDS).map(one -> Long.toString(one.pid())).toList());
    if (all.size() > MAX_PIDS) {
      pids.add(all.size() - MAX_PIDS + " more");
    }
    return RuleText.named(all.size() == 1 ? "process" : "processe", pids);
  }
}
