package io.lapwing.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImdsTest {

  private static final long SECOND = 1_000_000_000L;
  private static final String TOKEN = "latest/api/token";

  private final AtomicLong nanos = new AtomicLong();
  private final LongSupplier clock = nanos::get;

  private static Reading<String> failed(String question, String reason) {
    return new Reading.Failed<>(question, reason);
  }

  @Test
  void aTokenIsFetchedOnceAndSentWithEveryRequest() throws IOException {
    try (FakeImds service = FakeImds.p5()) {
      Imds imds = new Imds(service.base(), clock);

      assertThat(imds.get("instance-type")).isEqualTo(Reading.of("p5.48xlarge"));
      assertThat(imds.get("placement/region")).isEqualTo(Reading.of("us-east-1"));
      assertThat(service.requests()).containsExactly("token", "instance-type", "placement/region");
    }
  }

  @Test
  void anAbsentItemIsMissingNotAFailure() throws IOException {
    try (FakeImds service = FakeImds.p5()) {
      assertThat(new Imds(service.base(), clock).get("spot/instance-action"))
          .isEqualTo(new Reading.Missing<>("spot/instance-action"));
    }
  }

  @Test
  void aTokenIsRenewedBeforeItExpires() throws IOException {
    try (FakeImds service = FakeImds.p5()) {
      Imds imds = new Imds(service.base(), clock);
      imds.get("instance-type");
      nanos.addAndGet(5 * 3600 * SECOND);
      imds.get("instance-type");
      nanos.addAndGet(3600 * SECOND);
      imds.get("instance-type");

      assertThat(service.requests())
          .containsExactly("token", "instance-type", "instance-type", "token", "instance-type");
    }
  }

  @Test
  void aRefusedTokenIsRenewedAtOnce() throws IOException {
    try (FakeImds service = FakeImds.p5()) {
      Imds imds = new Imds(service.base(), clock);
      imds.open();
      service.invalidateTokens();

      assertThat(imds.get("instance-type")).isEqualTo(Reading.of("p5.48xlarge"));
      assertThat(service.requests())
          .containsExactly("token", "instance-type", "token", "instance-type");
    }
  }

  @Test
  void aServiceThatRefusesItsOwnTokensGetsTwoRequestsOnly() throws IOException {
    try (FakeImds service = FakeImds.p5()) {
      service.grantInvalidTokens();

      assertThat(new Imds(service.base(), clock).get("instance-type"))
          .isEqualTo(failed("instance-type", "refused"));
      assertThat(service.requests())
          .containsExactly("token", "instance-type", "token", "instance-type");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 400, 429, 500, 503})
  void everyOtherStatusIsAFailure(int status) throws IOException {
    try (FakeImds service = FakeImds.p5().answering("instance-type", status)) {
      assertThat(new Imds(service.base(), clock).get("instance-type"))
          .isEqualTo(failed("instance-type", "bad_status"));
    }
  }

  @Test
  void aDisabledServiceRefuses() throws IOException {
    try (FakeImds service = FakeImds.p5()) {
      service.refuseTokens(403);

      assertThat(new Imds(service.base(), clock).open()).isEqualTo(failed(TOKEN, "refused"));
    }
  }

  @Test
  void aClosedPortIsUnreachable() throws IOException {
    URI unreachable;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      unreachable = URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }
    assertThat(new Imds(unreachable, clock).open()).isEqualTo(failed(TOKEN, "unreachable"));
  }

  @Test
  void aLostResponseIsATimeout() throws IOException {
    try (RawServer silent = RawServer.silent()) {
      assertThat(new Imds(silent.base(), clock).open()).isEqualTo(failed(TOKEN, "timeout"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\r\n\r\n",
        "SSH-2.0-OpenSSH_9.6\r\n",
        "HTTP/1.1\r\n\r\n",
        "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1 0 Nothing\r\n\r\n",
        "HTTP/1.1 -200 Less\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\ntwo words",
        "HTTP/1.1 200 OK\r\n\r\nline\nline",
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\n\r\n",
        "HTTP/1.1 407 Proxy\r\nProxy-Authenticate: Negotiate\r\n\r\n"
      })
  void garbageIsAFailureNotAToken(String garbage) throws IOException {
    try (RawServer server = RawServer.responding(garbage)) {
      Reading<String> opened = new Imds(server.base(), clock).open();

      assertThat(opened).isInstanceOf(Reading.Failed.class);
      assertThat(opened.failure().orElseThrow())
          .isIn("malformed", "truncated", "io", "refused", "bad_status", "timeout");
    }
  }

  @Test
  void aBodyWithoutEndIsTooLarge() throws IOException {
    byte[] much = "x".repeat(4096).getBytes(StandardCharsets.US_ASCII);
    try (RawServer server =
        RawServer.writing(
            out -> {
              out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
              while (true) {
                out.write(much);
              }
            })) {
      assertThat(new Imds(server.base(), clock).open()).isEqualTo(failed(TOKEN, "too_large"));
    }
  }

  @Test
  void aSlowBodyHitsTheTotalTimeout() throws IOException {
    try (RawServer server =
        RawServer.writing(
            out -> {
              out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
              while (true) {
                out.write('x');
                out.flush();
              }
            })) {
      LongSupplier hurried = () -> nanos.addAndGet(SECOND / 4);

      assertThat(new Imds(server.base(), hurried).open().failure().orElseThrow())
          .isIn("timeout", "too_large");
    }
  }
}
