package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The sorted names in a folder; {@code all} is false if a limit was reached. */
public record Folder(List<String> names, boolean all) {

  /** Entries that are examined, wanted or not: a larger folder is a mistake or an attack. */
  private static final int MAX_EXAMINED = 100_000;

  public Folder {
    names = List.copyOf(names);
  }

  /** Lists all names of a folder; missing if it does not exist. */
  public static Reading<Folder> of(Path path) {
    return of(path, name -> true, MAX_EXAMINED);
  }

  /** Lists at most {@code max} matching names of a folder; missing if it does not exist. */
  public static Reading<Folder> of(Path path, Predicate<String> wanted, int max) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      return Reading.of(list(entries.iterator(), wanted, max));
    } catch (DirectoryIteratorException broken) {
      return new Reading.Failed<>(path.toString(), FileFailure.IO);
    } catch (IOException failed) {
      return FileFailure.reading(path.toString(), failed);
    }
  }

  private static Folder list(Iterator<Path> entries, Predicate<String> wanted, int max) {
    TreeSet<String> names = new TreeSet<>();
    int examined = 0;
    while (entries.hasNext()) {
      String name = entries.next().getFileName().toString();
      boolean matches = wanted.test(name);
      if (++examined > MAX_EXAMINED || (matches && names.size() == max)) {
        return new Folder(List.copyOf(names), false);
      }
      if (matches) {
        names.add(name);
      }
    }
    return new Folder(List.copyOf(names), true);
  }
}
