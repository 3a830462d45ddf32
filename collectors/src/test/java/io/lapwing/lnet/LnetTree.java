package io.lapwing.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Collector;
import io.lapwing.collect.RecordedSink;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SysFs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder with files of LNet. */
final class LnetTree {

  static final String STATS = "18 341 0 902113 902098 0 3 61223344551 201122334455 0 1440\n";
  static final String NIS =
      """
      nid                      status alive refs peer  rtr   max    tx   min
      0@lo                         up     0    2    0    0     0     0     0
      0@lo                         up     0    0    0    0     0     0     0
      10.0.2.7@tcp                 up    -1    3    8    0   128   128    89
      10.0.2.7@tcp                 up    -1    4    8    0   128   121   -30
      """;
  static final String PEERS =
      """
      nid                      refs state  last   max   rtr   min    tx   min queue
      10.0.1.15@tcp               4    NA    -1     8     8     8     8   -12 0
      10.0.1.16@tcp               9    NA    -1     8     8     8    -5   -20 73400320
      10.0.1.17@tcp               1  down  9999     8     8     8     8     6 0
      """;

  final Path sys;
  final Path proc;
  private final Path folder;

  private LnetTree(Path dir, Path folder) {
    sys = dir.resolve("sys");
    proc = dir.resolve("proc");
    this.folder = folder;
  }

  /** Of 2.12 and later. */
  static LnetTree inDebugfs(Path dir) {
    return new LnetTree(dir, dir.resolve("sys/kernel/debug/lnet"));
  }

  /** Of 2.10. */
  static LnetTree inProc(Path dir) {
    return new LnetTree(dir, dir.resolve("proc/sys/lnet"));
  }

  LnetTree whole() {
    return file("stats", STATS).file("nis", NIS).file("peers", PEERS).loaded();
  }

  LnetTree file(String name, String text) {
    return file(name, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  LnetTree file(String name, byte[] bytes) {
    return write(folder.resolve(name), bytes);
  }

  LnetTree loaded() {
    return write(sys.resolve("module/lnet/refcnt"), new byte[] {'5', '\n'});
  }

  private LnetTree write(Path file, byte[] bytes) {
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, bytes);
      return this;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  Path path(String name) {
    return folder.resolve(name);
  }

  LnetSource source(boolean everyPeer) {
    return new LnetSource(new SysFs(sys), new ProcFs(proc), everyPeer);
  }

  Access access() {
    LnetSource source = source(false);
    return source.begin(source.collectors());
  }

  /** The samples of a round. */
  RecordedSink page(boolean everyPeer) {
    LnetSource source = source(everyPeer);
    assertThat(source.begin(source.collectors())).isEqualTo(Access.READY);
    RecordedSink sink = new RecordedSink();
    for (Collector collector : source.collectors()) {
      collector.collect(sink);
    }
    return sink;
  }
}
