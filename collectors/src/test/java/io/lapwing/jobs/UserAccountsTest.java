package io.lapwing.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserAccountsTest {

  @TempDir private Path root = Path.of("");

  private void write(String name, String text) throws IOException {
    Files.createDirectories(root.resolve("etc"));
    Files.writeString(root.resolve("etc").resolve(name), text);
  }

  @Test
  void aSubordinateUidIsOfTheAccountThatHasItsRange() throws IOException {
    write("passwd", "ada:x:1000:1000::/home/ada:/bin/sh\neve:x:1001:1001::/home/eve:/bin/sh\n");
    write("subuid", "ada:100000:65536\n1001:165536:65536\nldap:300000:10\n");
    UserAccounts accounts = new UserAccounts(root);

    assertThat(accounts.apply(1000)).isEqualTo("ada");
    assertThat(accounts.apply(100_000)).isEqualTo("ada");
    assertThat(accounts.apply(165_535)).isEqualTo("ada");
    assertThat(accounts.apply(165_536)).as("a range by number").isEqualTo("eve");
    assertThat(accounts.apply(300_009)).isEqualTo("ldap");
    assertThat(accounts.apply(300_010)).isEqualTo("300010");
    assertThat(accounts.apply(99_999)).isEqualTo("99999");
  }

  @Test
  void aChangedFileIsReadAgainAndBadLinesAreSkipped() throws IOException {
    UserAccounts accounts = new UserAccounts(root);
    assertThat(accounts.apply(100_000)).isEqualTo("100000");
    write("subuid", "# a comment\nada:x:1\nada:99999999999:1\n\nada:100000:0\neve:100000:1\n");
    assertThat(accounts.apply(100_000)).isEqualTo("eve");
    write("subuid", "ada:100000:1");
    Files.setLastModifiedTime(
        root.resolve("etc/subuid"), FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
    assertThat(accounts.apply(100_000)).isEqualTo("ada");
    Files.delete(root.resolve("etc/subuid"));
    assertThat(accounts.apply(100_000)).isEqualTo("100000");
  }
}
