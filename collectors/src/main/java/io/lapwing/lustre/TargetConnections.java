package io.lapwing.lustre;

import io.lapwing.collect.SampleSink;
import io.lapwing.lustre.StatsFile.StatsTotals;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * State of the connection to one target, and its latency.
 *
 * <pre>
 * lapwing_lustre_import_connected{fs="scratch",target="OST0000"} 1                  import, state
 * lapwing_lustre_import_state{fs="scratch",target="OST0000",state="full"} 1         import, state
 * lapwing_lustre_target_info{...,nid="10.0.1.15@tcp",network="tcp",server_version="2.15.3.0"} 1   import
 * lapwing_lustre_rpcs_in_flight{fs="scratch",target="OST0000"} 2                    inflight of import
 * lapwing_lustre_rpc_average_wait_seconds{fs="scratch",target="OST0000"} 0.000827   avg_waittime of import
 * lapwing_lustre_rpc_timeouts_total{fs="scratch",target="OST0000"} 0                timeouts of import
 * lapwing_lustre_connection_attempts_total{fs="scratch",target="OST0000"} 1         import
 * lapwing_lustre_evictions_total{fs="scratch",target="OST0000"} 0                   state_history of state
 * lapwing_lustre_reconnects_total{fs="scratch",target="OST0000"} 0                  state_history of state
 * lapwing_lustre_last_eviction_timestamp_seconds{...} 1689999026                    the same, after one
 * lapwing_lustre_rpc_wait_seconds_total{fs="scratch",target="OST0000"} 81.233445    req_waittime of stats
 * lapwing_lustre_rpcs_total{fs="scratch",target="OST0000"} 98123                    req_waittime of stats
 * lapwing_lustre_grant_bytes{fs="scratch",target="OST0000"} 262144                  cur_grant_bytes
 * lapwing_lustre_lost_grant_bytes{fs="scratch",target="OST0000"} 0                  cur_lost_grant_bytes
 * lapwing_lustre_dirty_bytes{fs="scratch",target="OST0000"} 27815936                cur_dirty_bytes
 * </pre>
 *
 * In full detail also {@code osc_cached_mb}, {@code lock_count} and the operations of {@code
 * stats}, which {@link LustreDiscovery.LustreSumsSource} sums otherwise.
 */
final class TargetConnections {

  static final String NAME = "lustre_targets";

  static final double MEBIBYTE = 1024 * 1024;

  private final LustreTargetSource source;
  private final boolean full;
  private final Totals imports;
  private final Totals changes;
  private final Totals waits;
  private final Totals requests;
  private final Map<ImportState, Labels> stateLabels = new HashMap<>();
  private Info info = new Info("", "");
  private Labels infoLabels;

  private record Info(String nid, String version) {

    Labels after(Labels own) {
      return own.with("nid", nid)
          .with("network", nid.substring(nid.indexOf('@') + 1))
          .with("server_version", version);
    }
  }

  TargetConnections(LustreTargetSource source, LustreDetail detail) {
    this.source = source;
    this.full = detail == LustreDetail.FULL;
    this.imports = new Totals(source.labels());
    this.changes = new Totals(source.labels());
    this.waits = new Totals(source.labels());
    this.requests = full ? new Totals(source.labels()) : source.fs().totals();
    this.infoLabels = info.after(source.labels());
  }

  void collect(SampleSink sink) {
    List<Optional<ImportFile>> found = new ArrayList<>();
    boolean history = false;
    for (TargetInstance instance : source.instances()) {
      Optional<ImportFile> file = imported(instance, sink);
      Optional<StateFile> state =
          source.files().read(instance.file("state"), StateFile::parse, sink);
      state.ifPresent(read -> instance.states.note(read.history()));
      history |= state.isPresent();
      instance.state = file.flatMap(ImportFile::state).or(() -> state.flatMap(StateFile::current));
      found.add(file);
    }
    putConnection(sink);
    putImports(found, sink);
    if (history) {
      putChanges(sink);
    }
    putStats(sink);
    putAmounts(sink);
  }

  private Optional<ImportFile> imported(TargetInstance instance, SampleSink sink) {
    return source
        .files()
        .read(instance.file("import"), instance.importText, ImportFile::parse, sink);
  }

  private void putConnection(SampleSink sink) {
    List<TargetInstance> instances = source.instances();
    if (instances.isEmpty() || instances.stream().anyMatch(one -> one.state.isEmpty())) {
      return;
    }
    boolean connected =
        instances.stream().allMatch(one -> one.state.filter(ImportState::healthy).isPresent());
    sink.add(LustreMetrics.CONNECTED, source.labels(), connected ? 1 : 0);
    instances
        .get(instances.size() - 1)
        .state
        .ifPresent(state -> sink.add(LustreMetrics.STATE, labels(state), 1));
  }

  private Labels labels(ImportState state) {
    return stateLabels.computeIfAbsent(
        state, unseen -> source.labels().with("state", state.text()));
  }

  private void putImports(List<Optional<ImportFile>> found, SampleSink sink) {
    if (found.isEmpty() || found.stream().anyMatch(Optional::isEmpty)) {
      return;
    }
    List<ImportFile> files = found.stream().flatMap(Optional::stream).toList();
    ImportFile newest = files.get(files.size() - 1);
    putInfo(newest, sink);
    if (files.stream().allMatch(file -> file.inflight().isPresent())) {
      sink.add(
          LustreMetrics.IN_FLIGHT,
          source.labels(),
          files.stream().mapToDouble(file -> file.inflight().orElse(0)).sum());
    }
    newest
        .averageWait()
        .ifPresent(wait -> sink.add(LustreMetrics.AVERAGE_WAIT, source.labels(), wait));
    for (int i = 0; i < files.size(); i++) {
      String contributor = source.instances().get(i).name.folder();
      note(imports, LustreMetrics.RPC_TIMEOUTS, contributor, files.get(i).timeouts());
      note(imports, LustreMetrics.CONNECTION_ATTEMPTS, contributor, files.get(i).attempts());
    }
    imports.put(sink);
  }

  private static void note(
      Totals totals, Metric metric, String contributor, OptionalDouble number) {
    number.ifPresent(counted -> totals.note(metric, contributor, counted));
  }

  private void putInfo(ImportFile file, SampleSink sink) {
    Info now = new Info(file.nid().orElse(""), file.targetVersion().orElse(""));
    if (!now.equals(info)) {
      info = now;
      infoLabels = now.after(source.labels());
    }
    sink.add(LustreMetrics.TARGET_INFO, infoLabels, 1);
  }

  private void putChanges(SampleSink sink) {
    for (TargetInstance instance : source.instances()) {
      String contributor = instance.name.folder();
      changes.note(LustreMetrics.EVICTIONS, contributor, (double) instance.states.evictions());
      changes.note(LustreMetrics.RECONNECTS, contributor, (double) instance.states.reconnects());
    }
    changes.put(sink);
    OptionalLong last =
        source.instances().stream().flatMapToLong(one -> one.states.lastEviction().stream()).max();
    last.ifPresent(
        second -> sink.add(LustreMetrics.LAST_EVICTION, source.labels(), (double) second));
  }

  private void putStats(SampleSink sink) {
    boolean read = false;
    for (TargetInstance instance : source.instances()) {
      Optional<StatsFile> stats =
          instance.stats.note(source.files().read(instance.file("stats"), StatsFile::parse, sink));
      if (stats.isPresent()) {
        String contributor = instance.name.folder();
        StatsTotals.waits(stats.get(), contributor, waits);
        StatsTotals.requests(stats.get(), contributor, requests, instance.stats.late());
        read = true;
      }
    }
    if (read) {
      waits.put(sink);
    }
    if (read && full) {
      requests.put(sink);
    }
  }

  private void putAmounts(SampleSink sink) {
    if (!source.metadata()) {
      source.putSum(LustreMetrics.GRANT, "cur_grant_bytes", 1, sink);
      source.putSum(LustreMetrics.LOST_GRANT, "cur_lost_grant_bytes", 1, sink);
      source.putSum(LustreMetrics.DIRTY, "cur_dirty_bytes", 1, sink);
    }
    if (full) {
      putCached(sink);
    }
  }

  private void putCached(SampleSink sink) {
    double cached = 0;
    double locks = 0;
    boolean allCached = !source.metadata();
    boolean allLocks = true;
    for (TargetInstance instance : source.instances()) {
      OptionalDouble lockCount =
          source.files().number("ldlm/namespaces/" + instance.name.name() + "/lock_count", sink);
      allLocks &= lockCount.isPresent();
      locks += lockCount.orElse(0);
      if (allCached) {
        OptionalDouble used =
            source
                .files()
                .readIfThere(instance.file("osc_cached_mb"), NumberLines::parse, sink)
                .map(lines -> lines.get("used_mb"))
                .orElse(OptionalDouble.empty());
        allCached &= used.isPresent();
        cached += used.orElse(0);
      }
    }
    if (allCached) {
      sink.add(LustreMetrics.CACHED, source.labels(), cached * MEBIBYTE);
    }
    if (allLocks) {
      sink.add(LustreMetrics.LOCKS, source.labels(), locks);
    }
  }
}
