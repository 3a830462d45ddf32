package io.lapwing.packaging;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * A copy of OSV's records: its {@code all.zip} of the ecosystem Maven, or a folder of JSON files
 * such as a clone of GitHub's advisory database.
 */
final class OsvDatabase {

  private static final ObjectMapper JSON = new ObjectMapper();

  private OsvDatabase() {}

  /**
   * Reads every record, one at a time.
   *
   * @return how many records there are
   * @throws IOException if the file cannot be read, or a record is not JSON
   */
  static long forEach(Path database, Consumer<Advisory> each) throws IOException {
    long records = 0;
    if (Files.isDirectory(database)) {
      try (Stream<Path> files = Files.walk(database)) {
        for (Path file : (Iterable<Path>) files.filter(OsvDatabase::isRecord)::iterator) {
          records += record(file.toString(), Files.newInputStream(file), each);
        }
      } catch (UncheckedIOException unreadable) {
        throw unreadable.getCause();
      }
      return records;
    }
    try (ZipFile zip = new ZipFile(database.toFile())) {
      List<? extends ZipEntry> entries =
          zip.stream().filter(entry -> entry.getName().endsWith(".json")).toList();
      for (ZipEntry entry : entries) {
        records += record(database + ": " + entry.getName(), zip.getInputStream(entry), each);
      }
    } catch (ZipException broken) {
      throw new IOException(database + ": is not a readable zip: " + broken.getMessage(), broken);
    }
    return records;
  }

  private static boolean isRecord(Path file) {
    return file.toString().endsWith(".json") && Files.isRegularFile(file);
  }

  private static long record(String name, InputStream content, Consumer<Advisory> each)
      throws IOException {
    try (content) {
      Advisory.of(JSON.readTree(content)).forEach(each);
      return 1;
    } catch (IOException malformed) {
      throw new IOException(name + ": " + malformed.getMessage(), malformed);
    }
  }
}
