package io.lapwing.agent.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.lapwing.agent.cli.CheckCommand;
import io.lapwing.agent.health.MadeReports;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SupportCommandTest {

  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final String HASH =
      "$2b$12$abcdefghijklmnopqrstuvABCDEFGHIJKLMNOPQRSTUV0123456789abc";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  @TempDir private Path dir;
  private Path file;

  @BeforeEach
  void aNode() throws Exception {
    file = dir.resolve("bundle.zip");
    Files.writeString(
        dir.resolve("events.jsonl"),
        """
        {"kind":"started","at":"2026-11-18T03:00:00Z","version":"0.1.0"}
        {"kind":"gpu_reset","at":"2026-11-20T11:20:00Z","gpu":"GPU-1","sign":"energy counter"}
        """);
    Files.writeString(
        dir.resolve("kmsg"),
        """
        3,1,1000000,-;NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.
        6,2,1000001,-;usb 1-1: new device
        4,3,1000002,-;Lustre: mount https://ada:hunter2@mgs/fs failed, token=tok-4711
        """);
  }

  @Test
  void anAgentThatWasNamedAndDoesNotAnswerMakesNoBundle() throws Exception {
    assertThat(bundle("--output=" + file, "--url=http://node7.invalid:9754")).isEqualTo(1);
    assertThat(file).doesNotExist();
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("node7.invalid");
  }

  private int bundle(String... args) throws Exception {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--path.state=" + dir);
    all.add("--path.kmsg=" + dir.resolve("kmsg"));
    all.add("--path.rootfs=" + dir);
    all.add("--web.listen-address=127.0.0.1:" + port);
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    PrintStream output = new PrintStream(out, true, StandardCharsets.UTF_8);
    CheckCommand check =
        new CheckCommand(Map.of(), settings -> MadeReports.failing(), output, errors);
    return new SupportCommand(check, "{}", InstantSource.fixed(NOW), output, errors).run(all);
  }

  private Map<String, String> content() throws Exception {
    Map<String, String> entries = new LinkedHashMap<>();
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(file))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        entries.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return entries;
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void withoutAnAgentItHasTheRest() throws Exception {
    assertThat(bundle("--output=" + file)).as(err()).isZero();

    Map<String, String> content = content();
    assertThat(content.keySet()).first().isEqualTo("MANIFEST.txt");
    assertThat(content).doesNotContainKeys("health.json", "metrics.txt");
    assertThat(content.get("RESULT.txt"))
        .contains("health.json      left out: no agent is reachable at http://127.0.0.1")
        .containsPattern("os-release.txt +left out: .*/etc/os-release does not exist");
    assertThat(content.get("events.jsonl")).contains("gpu_reset").doesNotContain("started");
    assertThat(content.get("config.txt"))
        .contains("path.state = " + dir + "  (flag --path.state)")
        .containsPattern("web.privacy = open +\\(default\\)");
    assertThat(content.get("kernel-log.txt"))
        .contains("Xid (PCI:0000:53:00): 79")
        .doesNotContain("usb");
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(out()).startsWith("Support bundle of ").contains(file + " is written");
  }

  @Test
  void anAgentsPagesAreInsideWithoutSecrets() throws Exception {
    HttpServer agent =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    agent.createContext(
        "/",
        request -> {
          byte[] body =
              ("{\"asked\":\""
                      + request.getRequestURI().toString().replace('?', ' ')
                      + "\",\"password\": \"swordfish\",\"hash\":\""
                      + HASH
                      + "\",\"url\":\"http://ada:hunter2@node7/metrics\"}")
                  .getBytes(StandardCharsets.UTF_8);
          request.sendResponseHeaders(200, body.length);
          request.getResponseBody().write(body);
          request.close();
        });
    agent.start();
    try {
      String url = "--url=http://127.0.0.1:" + agent.getAddress().getPort();
      assertThat(bundle("--output=" + file, url)).as(err()).isZero();
    } finally {
      agent.stop(0);
    }
    Map<String, String> content = content();
    assertThat(content.get("metrics.txt")).contains("/metrics preset=full");
    assertThat(content.get("node.json")).contains("http://[redacted]@node7/metrics");
    assertThat(content.get("kernel-log.txt")).contains("Lustre: mount https://[redacted]@mgs/fs");
    assertThat(content.values())
        .allSatisfy(
            text -> assertThat(text).doesNotContain("swordfish", "hunter2", HASH, "tok-4711"));
  }

  @Test
  void listWritesNothing() throws Exception {
    assertThat(bundle("--output=" + file, "--list")).isZero();

    assertThat(file).doesNotExist();
    assertThat(out()).contains("kernel-log.txt", "config.txt");
  }

  @Test
  void kernelMessagesCanBeLeftOut() throws Exception {
    assertThat(bundle("--output=" + file, "--no-kernel")).isZero();

    assertThat(content()).doesNotContainKey("kernel-log.txt");
  }

  @Test
  void noFileIsReplacedAndNoLinkFollowed() throws Exception {
    Path target = dir.resolve("target");
    Files.createSymbolicLink(file, target);
    assertThat(bundle("--output=" + file)).isEqualTo(1);

    assertThat(err()).contains(file + " exists already, and is not replaced");
    assertThat(target).doesNotExist();
    Files.delete(file);
    Files.writeString(file, "mine");
    assertThat(bundle("--output=" + file)).isEqualTo(1);
    assertThat(file).hasContent("mine");
  }

  @Test
  void aMissingDirectoryIsNamed() throws Exception {
    assertThat(bundle("--output=" + dir.resolve("no/file.zip"))).isEqualTo(1);

    assertThat(err()).contains("its directory does not exist");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--since=yesterday", "--nonsense", "--output=", "--brief"})
  void aUsageErrorIs2(String flag) throws Exception {
    assertThat(bundle(flag)).isEqualTo(2);
    assertThat(file).doesNotExist();
  }
}
