package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The names in a folder that others fill.
 *
 * @param names in their order
 * @param all whether these are all; otherwise there were more than anybody wants
 */
record Folder(List<String> names, boolean all) {

  /** So many names are looked at, wanted or not: beyond, a folder is a mistake or an attack. */
  private static final int MOST_LOOKED_AT = 100_000;

  Folder {
    names = List.copyOf(names);
  }

  /**
   * Lists a folder; one that is not there is missing.
   *
   * @param most names that are kept
   */
  static Reading<Folder> of(Path path, Predicate<String> wanted, int most) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      return Reading.of(names(entries.iterator(), wanted, most));
    } catch (NoSuchFileException notThere) {
      return new Reading.Missing<>(path.toString());
    } catch (NotDirectoryException other) {
      return new Reading.Failed<>(path.toString(), "not_a_folder");
    } catch (DirectoryIteratorException broken) {
      return new Reading.Failed<>(path.toString(), "io");
    } catch (IOException failed) {
      return new Reading.Failed<>(path.toString(), SmallFile.word(failed));
    }
  }

  private static Folder names(Iterator<Path> entries, Predicate<String> wanted, int most) {
    TreeSet<String> names = new TreeSet<>();
    int looked = 0;
    while (entries.hasNext()) {
      String name = entries.next().getFileName().toString();
      boolean one = wanted.test(name);
      if (++looked > MOST_LOOKED_AT || (one && names.size() == most)) {
        return new Folder(List.copyOf(names), false);
      }
      if (one) {
        names.add(name);
      }
    }
    return new Folder(List.copyOf(names), true);
  }
}
