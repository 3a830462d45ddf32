package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** What is in a folder of the kernel, by name. */
public final class FolderNames {

  private FolderNames() {}

  /** The names in their order; missing where there is no such folder. */
  public static Reading<Set<String>> of(Path folder) {
    Set<String> names = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        names.add(entry.getFileName().toString());
      }
      return Reading.of(names);
    } catch (NoSuchFileException notThere) {
      return new Reading.Missing<>(folder.toString());
    } catch (DirectoryIteratorException broken) {
      return new Reading.Failed<>(folder.toString(), FileFailure.IO);
    } catch (IOException failed) {
      return new Reading.Failed<>(folder.toString(), FileFailure.word(failed));
    }
  }
}
