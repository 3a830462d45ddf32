package io.lapwing.nccl;

import io.lapwing.collect.SampleSink;
import io.lapwing.linux.UserFile;
import io.lapwing.metric.LabelWord;
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

/** The file of one GPU across reads. */
final class InspectorFile {

  /** Inspector writes every 30 s or less often. */
  private static final Duration MAX_AGE = Duration.ofMinutes(5);

  static final String GLOB = "nccl_inspector_metrics_*.prom";

  private static final Pattern NAME =
      Pattern.compile(
          "nccl_inspector_metrics_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\.prom");

  private final Path path;
  private final String uuid;
  private InspectorText text;
  private UserFile.@Nullable Attributes lastRead;

  private InspectorFile(Path path, String uuid) {
    this.path = path;
    this.uuid = uuid;
    this.text = new InspectorText(gpu(OptionalInt.empty()));
  }

  /** A file; empty if the name is not one that Inspector uses. */
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

  /** Reads the file if it changed; the reason if that was impossible. */
  Optional<Rejection> read(
      UserFile.Attributes folder, InspectorSource.GpuIndexes gpus, Instant now) {
    relabel(gpus);
    UserFile.Attributes stamp;
    try {
      stamp = UserFile.Attributes.at(path);
    } catch (IOException gone) {
      return Optional.of(Rejection.UNREADABLE);
    }
    Optional<Rejection> rejection = CompleteFile.rejection(stamp, folder);
    if (rejection.isPresent()) {
      lastRead = null;
      return rejection;
    }
    if (stamp.equals(lastRead)) {
      return Optional.empty();
    }
    CompleteFile file = CompleteFile.read(path, stamp, now);
    if (file.rejection().isEmpty()) {
      text.read(file.bytes());
      lastRead = stamp;
    }
    return file.rejection();
  }

  /** Re-reads the file when the index of its GPU, and so its labels, change. */
  private void relabel(InspectorSource.GpuIndexes gpus) {
    Labels now = gpu(gpus.index(uuid));
    if (!now.equals(text.gpu())) {
      text = new InspectorText(now);
      lastRead = null;
    }
  }

  /** Whether its last content is recent. */
  boolean isFresh(Instant now) {
    UserFile.Attributes last = lastRead;
    return last != null && Duration.between(last.modified(), now).abs().compareTo(MAX_AGE) <= 0;
  }

  int dropped() {
    return text.dropped();
  }

  void put(SampleSink sink) {
    text.put(sink);
  }

  enum Rejection implements LabelWord {
    SYMLINK,
    NOT_REGULAR,
    OTHER_USER,
    TOO_LARGE,
    HALF_WRITTEN,
    TOO_MANY,
    UNREADABLE;
  }
}
