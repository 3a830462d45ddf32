package io.lapwing.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownVulnerabilitiesTest {

  @TempDir Path folder;

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private Path bill;
  private Path database;

  @BeforeEach
  void files() throws IOException {
    bill = folder.resolve("bom.json");
    database = Files.createDirectory(folder.resolve("osv"));
  }

  private void ships(String version) throws IOException {
    Files.writeString(
        bill,
        """
        {"components": [{"group": "org.example", "name": "server", "version": "%s"},
                        {"type": "platform", "name": "openjdk", "version": "17.0.21"}]}"""
            .formatted(version));
  }

  private void known(String file, String withdrawn) throws IOException {
    Files.writeString(
        database.resolve(file),
        """
        {"id": "EX-1", "summary": "requests are mixed up", %s
         "affected": [
           {"package": {"ecosystem": "npm", "name": "org.example:server"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}]},
           {"package": {"ecosystem": "Maven", "name": "org.example:server"},
            "versions": ["9.0-special"],
            "ranges": [{"type": "ECOSYSTEM", "events": [
              {"introduced": "2.0.0"}, {"fixed": "2.0.10"},
              {"introduced": "3.0.0"}, {"last_affected": "3.1.0"}]}]}]}"""
            .formatted(withdrawn));
  }

  private int check(String from) {
    try (PrintStream out = new PrintStream(output, true, UTF_8)) {
      return KnownVulnerabilities.run(bill, from, out, out);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1.9, 0",
    "2.0.0, 1",
    "2.0.9, 1",
    "2.0.10-rc1, 1",
    "2.0.10, 0",
    "2.5, 0",
    "3.0.0, 1",
    "3.1.0, 1",
    "3.1.1, 0",
    "9.0-special, 1",
    "9.0, 0"
  })
  void aVersionIsAffectedWithinTheRangesInMavensOrder(String version, int code) throws IOException {
    ships(version);
    known("EX-1.json", "");
    assertThat(check(database.toString())).isEqualTo(code);
    assertThat(output.toString(UTF_8))
        .contains("1 libraries checked against 1 records: " + code + " known vulnerabilities");
    if (code == 1) {
      assertThat(output.toString(UTF_8))
          .contains(
              "org.example:server " + version + ": EX-1 requests are mixed up (fixed in 2.0.10)");
    }
  }

  @Test
  void aZipOfTheRecordsIsADatabaseToo() throws IOException {
    ships("2.0.1");
    known("EX-1.json", "");
    Path zip = folder.resolve("all.zip");
    try (ZipOutputStream entries = new ZipOutputStream(Files.newOutputStream(zip))) {
      entries.putNextEntry(new ZipEntry("EX-1.json"));
      Files.copy(database.resolve("EX-1.json"), entries);
    }
    assertThat(check(zip.toString())).isEqualTo(1);
  }

  @Test
  void aBrokenZipIsNamed() throws IOException {
    ships("2.0.1");
    Path zip = Files.writeString(folder.resolve("broken.zip"), "no zip");
    assertThat(check(zip.toString())).isEqualTo(3);
    assertThat(output.toString(UTF_8)).contains("not checked: " + zip + ": is not a readable zip");
  }

  @Test
  void aRecordWithoutAFixedVersionSaysSo() throws IOException {
    ships("2.0.1");
    Files.writeString(
        database.resolve("EX-2.json"),
        "{\"id\": \"EX-2\", \"summary\": \"bad\", \"affected\": [{\"package\": {\"ecosystem\": \"Maven\","
            + " \"name\": \"org.example:server\"}, \"ranges\": [{\"type\": \"ECOSYSTEM\", \"events\":"
            + " [{\"introduced\": \"0\"}]}]}]}");
    assertThat(check(database.toString())).isEqualTo(1);
    assertThat(output.toString(UTF_8)).contains("EX-2 bad (no fixed version yet)");
  }

  @Test
  void aWithdrawnRecordDoesNotCount() throws IOException {
    ships("2.0.1");
    known("EX-1.json", "\"withdrawn\": \"2026-01-01T00:00:00Z\",");
    assertThat(check(database.toString())).isZero();
  }

  @Test
  void withoutADatabaseNothingIsCheckedAndItSaysSo() throws IOException {
    ships("2.0.1");
    assertThat(check("")).isEqualTo(3);
    assertThat(check(folder.resolve("none.zip").toString())).isEqualTo(3);
    assertThat(check(database.toString())).as("an empty folder").isEqualTo(3);
    Files.writeString(database.resolve("EX-1.json"), "{\"id\": ");
    assertThat(check(database.toString())).as("a malformed record").isEqualTo(3);
    assertThat(output.toString(UTF_8))
        .contains("no database was given", "does not exist", "has no records", "EX-1.json: ")
        .doesNotContain("libraries checked");
  }
}
