package io.lapwing.packaging;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * {@code ./lapwing vulnerabilities}: the libraries of a CycloneDX bill of materials with a known
 * vulnerability, by a copy of OSV's database. It needs no network. The Java runtime is not in that
 * database; {@code tools/packaging/jdk-floor} bounds its age.
 */
public final class KnownVulnerabilities {

  static final int NONE = 0;
  static final int FOUND = 1;
  static final int NOT_CHECKED = 3;

  private KnownVulnerabilities() {}

  /** Arguments: the bill of materials, and the database or an empty string. */
  public static void main(String[] args) {
    System.exit(run(Path.of(args[0]), args[1], System.out, System.err));
  }

  static int run(Path bill, String database, PrintStream out, PrintStream err) {
    if (database.isEmpty() || !Files.exists(Path.of(database))) {
      err.println(
          "not checked: "
              + (database.isEmpty() ? "no database was given" : database + " does not exist")
              + ". Fetch https://osv-vulnerabilities.storage.googleapis.com/Maven/all.zip on a"
              + " machine with internet access and name it with --database.");
      return NOT_CHECKED;
    }
    try {
      return check(libraries(bill), Path.of(database), out, err);
    } catch (IOException unreadable) {
      err.println("not checked: " + unreadable.getMessage());
      return NOT_CHECKED;
    }
  }

  private static int check(
      Map<String, String> libraries, Path database, PrintStream out, PrintStream err)
      throws IOException {
    TreeSet<String> found = new TreeSet<>();
    long records =
        OsvDatabase.forEach(
            database,
            advisory -> {
              String version = libraries.get(advisory.library());
              if (version != null && advisory.affects().test(version)) {
                found.add(line(advisory, version));
              }
            });
    if (records == 0) {
      err.println("not checked: " + database + " has no records");
      return NOT_CHECKED;
    }
    found.forEach(out::println);
    out.printf(
        "%d libraries checked against %d records: %d known vulnerabilities%n",
        libraries.size(), records, found.size());
    return found.isEmpty() ? NONE : FOUND;
  }

  private static String line(Advisory advisory, String version) {
    return "%s %s: %s %s (%s)"
        .formatted(
            advisory.library(),
            version,
            advisory.id(),
            advisory.summary(),
            advisory.fixed().isEmpty()
                ? "no fixed version yet"
                : "fixed in " + String.join(", ", advisory.fixed()));
  }

  /** Versions by {@code group:artifact}. */
  private static Map<String, String> libraries(Path bill) throws IOException {
    Map<String, String> libraries = new TreeMap<>();
    for (JsonNode one : new ObjectMapper().readTree(bill.toFile()).path("components")) {
      if (one.has("group")) {
        libraries.put(
            one.path("group").asText() + ":" + one.path("name").asText(),
            one.path("version").asText());
      }
    }
    if (libraries.isEmpty()) {
      throw new IOException(bill + " lists no libraries");
    }
    return libraries;
  }
}
