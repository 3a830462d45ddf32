package io.lapwing.nccl;

import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The file of one GPU from one look at it to the next. */
final class InspectorFile {

  /** Inspector writes every 30 s or more rarely. */
  private static final Duration FRESH = Duration.ofMinutes(5);

  static final String GLOB = "nccl_inspector_metrics_*.prom";

  private static final Pattern NAME =
      Pattern.compile(
          "nccl_inspector_metrics_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\.prom");

  private final Path path;
  private final String uuid;
  private InspectorText text;
  private @Nullable FileStamp taken;

  private InspectorFile(Path path, String uuid) {
    this.path = path;
    this.uuid = uuid;
    this.text = new InspectorText(gpu(OptionalInt.empty()));
  }

  /** A file of that name; empty where the name is not one that Inspector gives. */
  static Optional<InspectorFile> of(Path folder, String name) {
    Matcher form = NAME.matcher(name);
    return form.matches()
        ? Optional.of(new InspectorFile(folder.resolve(name), "GPU-" + form.group(1)))
        : Optional.empty();
  }

  private Labels gpu(OptionalInt index) {
    return Labels.of(
        "gpu", index.isPresent() ? Integer.toString(index.getAsInt()) : "", "UUID", uuid);
  }

  /** Takes what is new in it; why it took nothing. */
  Optional<Rejection> look(FileStamp folder, GpuIndexes gpus, Instant now) {
    renumber(gpus);
    FileStamp stamp;
    try {
      stamp = FileStamp.of(path);
    } catch (IOException gone) {
      return Optional.of(Rejection.UNREADABLE);
    }
    Optional<Rejection> refused = WholeFile.refused(stamp, folder);
    if (refused.isPresent()) {
      taken = null;
      return refused;
    }
    if (stamp.equals(taken)) {
      return Optional.empty();
    }
    WholeFile file = WholeFile.read(path, stamp, now);
    if (file.rejection().isEmpty()) {
      text.read(file.bytes());
      taken = stamp;
    }
    return file.rejection();
  }

  /** A GPU whose number is known only now has other labels, and the file is read again. */
  private void renumber(GpuIndexes gpus) {
    Labels now = gpu(gpus.index(uuid));
    if (!now.equals(text.gpu())) {
      text = new InspectorText(now);
      taken = null;
    }
  }

  /** Whether what it said last is of now. */
  boolean isFresh(Instant now) {
    FileStamp last = taken;
    return last != null && Duration.between(last.modified(), now).abs().compareTo(FRESH) <= 0;
  }

  int dropped() {
    return text.dropped();
  }

  void put(SampleSink sink) {
    text.put(sink);
  }
}
