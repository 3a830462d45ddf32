package io.lapwing.lustre;

import io.lapwing.collect.Access;
import io.lapwing.collect.Collector;
import io.lapwing.collect.RecordedSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SysFs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A client in a folder, and its sources. */
final class LustreTree implements SourceSet {

  static final String SYS = "sys/fs/lustre";
  static final String DEBUG = "sys/kernel/debug/lustre";
  static final String PROC = "proc/fs/lustre";

  private final Path folder;
  private final Map<String, Source> sources = new LinkedHashMap<>();
  final LustreSource client;

  LustreTree(Path folder, LustreDetail detail) {
    this.folder = folder;
    this.client =
        new LustreSource(
            new LustreRoots(new SysFs(folder.resolve("sys")), new ProcFs(folder.resolve("proc"))),
            this,
            detail);
  }

  /** Writes a file, or replaces it. */
  LustreTree file(String root, String parameter, String content) {
    Path file = folder.resolve(root).resolve(parameter);
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, content);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return this;
  }

  /** Deletes a file or folder. */
  LustreTree gone(String root, String parameter) {
    try (Stream<Path> all = Files.walk(folder.resolve(root).resolve(parameter))) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return this;
  }

  /** A healthy target of a 2.10 client, with all files in one root. */
  LustreTree target(String root, String name) {
    String kind = name.contains("-MDT") ? "mdc/" : "osc/";
    return file(root, kind + name + "/import", SomeFiles.IMPORT_2_15)
        .file(root, kind + name + "/state", "current_state: FULL\nstate_history:\n")
        .file(root, kind + name + "/stats", SomeFiles.OSC_STATS)
        .file(root, kind + name + "/timeouts", SomeFiles.TIMEOUTS)
        .file(root, kind + name + "/max_rpcs_in_flight", "8\n")
        .file(root, kind + name + "/kbytestotal", "1000\n")
        .file(root, kind + name + "/kbytesavail", "900\n")
        .file(
            root,
            kind + name + "/rpc_stats",
            kind.equals("mdc/") ? SomeFiles.MDC_RPC_STATS : SomeFiles.OSC_RPC_STATS);
  }

  /** The samples of one round of all sources. */
  RecordedSink round() {
    RecordedSink sink = new RecordedSink();
    round(client, sink);
    for (int i = 0; i < sources.size(); i++) {
      round(List.copyOf(sources.values()).get(i), sink); // May start another source.
    }
    return sink;
  }

  private static void round(Source source, RecordedSink sink) {
    if (source.begin(source.collectors()) instanceof Access.Ready) {
      for (Collector collector : source.collectors()) {
        collector.collect(sink);
      }
    }
  }

  /** The lines of one round with a prefix. */
  List<String> lines(String... starts) {
    return round().lines().stream()
        .filter(line -> Stream.of(starts).anyMatch(line::startsWith))
        .toList();
  }

  List<String> names() {
    return new ArrayList<>(sources.keySet());
  }

  Source source(String name) {
    Source source = sources.get(name);
    if (source == null) {
      throw new AssertionError(name + " is none of " + sources.keySet());
    }
    return source;
  }

  @Override
  public void add(Source source) {
    sources.putIfAbsent(source.name(), source);
  }

  @Override
  public void remove(String name) {
    sources.remove(name);
  }
}
