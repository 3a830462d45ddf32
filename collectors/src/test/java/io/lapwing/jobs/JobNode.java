package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.kubelet.PodResources;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** A simulated node in a folder, with two GPUs. */
final class JobNode implements JobGpus, PodResources {

  static final String GPU0 = "GPU-00000000-0000-4000-8000-000000000000";
  static final String GPU1 = "GPU-00000001-0000-4000-8000-000000000000";
  static final String POD = "7e4d3c2b-1a09-4f8e-9d7c-6b5a4f3e2d1c";

  private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

  private final Path root;
  private final Map<String, List<Occupant>> occupants = new HashMap<>();
  private final JobsSource.JobBoard board = new JobsSource.JobBoard();
  private final JobsSource source;
  private List<Gpu> gpus = List.of(Gpu.whole(1, GPU1), Gpu.whole(0, GPU0));
  private Reading<List<PodResources.Device>> pods = new Reading.Missing<>("kubelet.sock");

  JobNode(Path root) {
    this.root = root;
    write("proc/2/comm", "kthreadd\n");
    write("etc/passwd", "root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\n");
    this.source = source();
  }

  /** One more source that writes to the same board, as after a reload. */
  JobsSource source() {
    return new JobsSource(
        new JobsSource.Places(
            root.resolve("mapping"),
            root.resolve("sys"),
            root.resolve("proc"),
            root,
            root.resolve("checkpoint")),
        this,
        this,
        board,
        () -> NOW);
  }

  void end() {
    source.close();
  }

  static byte[] resource(String name) {
    try (InputStream in = Objects.requireNonNull(JobNode.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  Path path(String name) {
    return root.resolve(name);
  }

  JobNode write(String name, String text) {
    return write(name, text.getBytes(StandardCharsets.UTF_8));
  }

  JobNode write(String name, byte[] bytes) {
    try {
      Path file = root.resolve(name);
      Files.createDirectories(file.getParent());
      Files.write(file, bytes);
      Files.setLastModifiedTime(file, FileTime.from(NOW));
      return this;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  JobNode folder(String name) {
    try {
      Files.createDirectories(root.resolve(name));
      return this;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  JobNode remove(String name) {
    try (Stream<Path> below = Files.walk(root.resolve(name))) {
      for (Path one : below.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(one);
      }
      return this;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  JobNode age(String name, Duration age) {
    try {
      Files.setLastModifiedTime(root.resolve(name), FileTime.from(NOW.minus(age)));
      return this;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Adds a process of a user with a recorded cgroup. */
  JobNode process(int pid, String cgroup, String... environ) {
    write("proc/" + pid + "/cgroup", resource("cgroup/" + cgroup));
    write("proc/" + pid + "/status", "Name:\tpython\nUid:\t1000\t1000\t1000\t1000\n");
    return write("proc/" + pid + "/environ", String.join("\0", environ) + "\0");
  }

  JobNode pod(String uid, String namespaceAndPod, String... containers) {
    for (String container : containers) {
      folder("var/log/pods/" + namespaceAndPod + "_" + uid + "/" + container);
    }
    return this;
  }

  /** Removes all processes from both GPUs. */
  JobNode idle() {
    occupants.put(GPU0, List.of());
    occupants.put(GPU1, List.of());
    return this;
  }

  JobNode occupant(String uuid, long pid) {
    return occupant(uuid, pid, OptionalInt.empty());
  }

  JobNode occupant(String uuid, long pid, OptionalInt instance) {
    return occupant(uuid, Occupant.of(pid, instance));
  }

  JobNode occupant(String uuid, Occupant process) {
    List<Occupant> more = new ArrayList<>(occupants.getOrDefault(uuid, List.of()));
    more.add(process);
    occupants.put(uuid, more);
    return this;
  }

  JobNode having(Gpu... some) {
    gpus = List.of(some);
    return this;
  }

  JobNode kubelet(PodResources.Device... devices) {
    pods = Reading.of(List.of(devices));
    return this;
  }

  JobNode kubeletFails(String reason) {
    pods = new Reading.Failed<>("kubelet.sock", reason);
    return this;
  }

  RecordedSink round() {
    return RecordedSink.of(source.collectors().get(0));
  }

  /** Rows without empty labels: {@code 0 job_id=1042}. */
  static List<String> rows(RecordedSink round) {
    return round.samples().stream()
        .filter(sample -> sample.metric().equals(JobMetrics.JOB_INFO))
        .map(JobNode::row)
        .toList();
  }

  private static String row(RecordedSink.Sample sample) {
    StringBuilder row = new StringBuilder(sample.labels().values().get(0));
    for (int i = 2; i < sample.labels().names().size(); i++) {
      if (!sample.labels().values().get(i).isEmpty()) {
        row.append(' ').append(sample.labels().names().get(i));
        row.append('=').append(sample.labels().values().get(i));
      }
    }
    return row.toString();
  }

  /** As in {@code 0=1}. */
  static List<String> allocated(RecordedSink round) {
    return round.samples().stream()
        .filter(sample -> sample.metric().equals(JobMetrics.ALLOCATED))
        .map(sample -> sample.labels().values().get(0) + "=" + (int) sample.value())
        .toList();
  }

  /** As in {@code mapping=1}. */
  static List<String> sources(RecordedSink round) {
    return round.samples().stream()
        .filter(sample -> sample.metric().equals(JobMetrics.SOURCES))
        .map(sample -> sample.labels().values().get(0) + "=" + (int) sample.value())
        .toList();
  }

  /** The reasons of failed reads. */
  static List<String> reasons(RecordedSink round) {
    return round.failures().stream()
        .map(failure -> failure.substring(failure.lastIndexOf(' ') + 1))
        .toList();
  }

  JobsSource.JobBoard board() {
    return board;
  }

  @Override
  public List<Gpu> gpus() {
    return gpus;
  }

  @Override
  public Optional<List<Occupant>> occupants(String uuid) {
    return Optional.ofNullable(occupants.get(uuid));
  }

  @Override
  public Reading<List<PodResources.Device>> list() {
    return pods;
  }
}
