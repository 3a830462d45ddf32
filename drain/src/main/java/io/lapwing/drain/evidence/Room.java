package io.lapwing.drain.evidence;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How much evidence is kept.
 *
 * @param files most files
 * @param bytes most bytes of all of them
 */
public record Room(int files, long bytes) {

  private record Kept(Path file, FileTime at, long size) {}

  /** Removes incomplete files of a full disk or a killed process. */
  static void clear(Path folder) throws IOException {
    try (DirectoryStream<Path> unfinished = Files.newDirectoryStream(folder, "*.zip.new")) {
      for (Path file : unfinished) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Removes the oldest files; never the newest one. */
  void make(Path folder, Path newest) throws IOException {
    List<Kept> all = new ArrayList<>();
    try (DirectoryStream<Path> list = Files.newDirectoryStream(folder, "*.zip")) {
      for (Path file : list) {
        BasicFileAttributes attributes =
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (attributes.isRegularFile()) {
          all.add(new Kept(file, attributes.lastModifiedTime(), attributes.size()));
        }
      }
    }
    all.sort(Comparator.comparing(Kept::at).thenComparing(Kept::file));
    long sum = all.stream().mapToLong(Kept::size).sum();
    int left = all.size();
    for (Kept one : all) {
      if (left <= files && sum <= bytes) {
        return;
      }
      if (!one.file().equals(newest)) {
        Files.deleteIfExists(one.file());
        sum -= one.size();
        left--;
      }
    }
  }
}
