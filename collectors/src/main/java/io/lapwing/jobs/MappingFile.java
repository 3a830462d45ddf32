package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.linux.FileFailure;
import io.lapwing.linux.SmallFile;
import io.lapwing.metric.LabelText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One file of the job mapping directory, read anew when it is another one than before. */
final class MappingFile {

  private static final int MOST_BYTES = 16 * 1024;

  private final Path path;
  private @Nullable Stamp stamp;
  private Reading<Jobs> jobs;

  /** By what a file that was written anew, or put in the place of the old one, differs from it. */
  private record Stamp(@Nullable Object key, FileTime modified, long size) {}

  /**
   * The jobs of one GPU.
   *
   * @param ids in the order of their lines, each once
   * @param since when the file was last written
   */
  record Jobs(List<String> ids, FileTime since) {

    Jobs {
      ids = List.copyOf(ids);
    }
  }

  MappingFile(Path path) {
    this.path = path;
    this.jobs = new Reading.Missing<>(path.toString());
  }

  /** What it says now; missing where the epilog has just taken it away. */
  Reading<Jobs> jobs() {
    try {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      Stamp seen = new Stamp(now.fileKey(), now.lastModifiedTime(), now.size());
      if (!seen.equals(stamp) || jobs.failure().isPresent()) {
        stamp = seen;
        jobs =
            SmallFile.whole(path, MOST_BYTES)
                .map(text -> new Jobs(ids(text), now.lastModifiedTime()));
      }
    } catch (NoSuchFileException gone) {
      jobs = new Reading.Missing<>(path.toString());
    } catch (IOException failed) {
      jobs = new Reading.Failed<>(path.toString(), FileFailure.reason(failed));
    }
    return jobs;
  }

  /** Every line that is not blank is one job's id; a last line may lack its end. */
  static List<String> ids(String text) {
    return text.lines()
        .map(line -> LabelText.clean(line.strip()))
        .filter(line -> !line.isEmpty())
        .distinct()
        .toList();
  }
}
