package io.lapwing.node;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.http.HttpClient;
import io.lapwing.http.HttpFailure;
import io.lapwing.http.HttpHead;
import io.lapwing.http.HttpRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A client of the instance metadata service, version 2 (with tokens). For one thread. */
final class Imds {

  /** The maximum: six hours. */
  private static final long TOKEN_SECONDS = 21_600;

  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final String TOKEN = "latest/api/token";
  private static final String TTL_HEADER = "X-aws-ec2-metadata-token-ttl-seconds";
  private static final String TOKEN_HEADER = "X-aws-ec2-metadata-token";

  /** The service runs on the host machine and replies within milliseconds. */
  private static final Duration CONNECT = Duration.ofMillis(500);

  private static final Duration TOTAL = Duration.ofMillis(1500);
  private static final int MAX_BYTES = 64 * 1024;

  private final URI base;
  private final HttpClient http;
  private final LongSupplier nanoTime;
  private @Nullable Token token;

  private record Token(String text, long until) {}

  /** The base is {@code http://169.254.169.254}, without a path. */
  Imds(URI base, LongSupplier nanoTime) {
    this.base = base;
    this.http = new HttpClient(CONNECT, TOTAL, nanoTime);
    this.nanoTime = nanoTime;
  }

  URI base() {
    return base;
  }

  /** Returns the token, and requests one first unless the current one is still valid. */
  Reading<String> open() {
    Token current = token;
    if (current != null && current.until() - nanoTime.getAsLong() > 0) {
      return Reading.of(current.text());
    }
    try {
      Answer answer = ask("PUT", TOKEN, TTL_HEADER, String.valueOf(TOKEN_SECONDS));
      return answer.status() == HttpHead.OK ? keep(answer) : failed(TOKEN, answer.status());
    } catch (HttpFailure failure) {
      return new Reading.Failed<>(TOKEN, failure.reason());
    }
  }

  private Reading<String> keep(Answer answer) {
    if (!answer.text().matches("[!-~]{1,1024}")) {
      return new Reading.Failed<>(TOKEN, HttpFailure.MALFORMED);
    }
    token = new Token(answer.text(), nanoTime.getAsLong() + lifetime(answer.seconds()).toNanos());
    return Reading.of(answer.text());
  }

  /** A trimmed text, empty unless the status is 200, and the header with a token's lifetime. */
  private record Answer(int status, String text, Optional<String> seconds) {}

  private Answer ask(String method, String path, String header, String value) throws HttpFailure {
    HttpRequest request =
        new HttpRequest(method, base.resolve("/" + path), Map.of(header, value), Optional.empty());
    return http.send(request, Imds::answer);
  }

  private static Answer answer(HttpHead head, InputStream body) throws IOException {
    String text =
        head.status() == HttpHead.OK
            ? new String(HttpClient.whole(body, MAX_BYTES), StandardCharsets.UTF_8).strip()
            : "";
    return new Answer(head.status(), text, head.field(TTL_HEADER.toLowerCase(Locale.ROOT)));
  }

  /** How long a token is used: it is renewed before it expires. */
  private static Duration lifetime(Optional<String> ttl) {
    long seconds =
        ttl.filter(text -> text.matches("\\d{1,5}"))
            .map(text -> Math.min(Long.parseLong(text), TOKEN_SECONDS))
            .orElse(TOKEN_SECONDS);
    return Duration.ofSeconds(seconds * 9 / 10);
  }

  /** The item below {@code latest/meta-data/}; missing if it does not exist. */
  Reading<String> get(String path) {
    Reading<String> reading = getOnce(path);
    // The service may have dropped the token early; a second refusal is final.
    return token == null && reading.failure().filter("refused"::equals).isPresent()
        ? getOnce(path)
        : reading;
  }

  private Reading<String> getOnce(String path) {
    Reading<String> opened = open();
    if (!(opened instanceof Reading.Present<String> present)) {
      return opened;
    }
    try {
      return item(path, ask("GET", "latest/meta-data/" + path, TOKEN_HEADER, present.value()));
    } catch (HttpFailure failure) {
      return new Reading.Failed<>(path, failure.reason());
    }
  }

  private Reading<String> item(String path, Answer answer) {
    if (answer.status() == HttpHead.OK) {
      return Reading.of(answer.text());
    }
    if (answer.status() == NOT_FOUND) {
      return new Reading.Missing<>(path);
    }
    if (answer.status() == UNAUTHORIZED) {
      token = null;
    }
    return failed(path, answer.status());
  }

  /** Whether there was a response; counts a failure. */
  static boolean answered(Reading<String> reading, SampleSink sink) {
    return !sink.countFailure(reading);
  }

  private static Reading<String> failed(String question, int status) {
    boolean refused = status == UNAUTHORIZED || status == FORBIDDEN;
    return new Reading.Failed<>(question, refused ? "refused" : "bad_status");
  }

  /** Properties of the instance in the instance metadata that never change. */
  enum ImdsItem {
    INSTANCE_ID("instance-id"),
    INSTANCE_TYPE("instance-type"),
    REGION("placement/region"),
    AVAILABILITY_ZONE("placement/availability-zone"),
    AVAILABILITY_ZONE_ID("placement/availability-zone-id"),
    LIFECYCLE("instance-life-cycle");

    /** All values are one word; anything else does not come from EC2. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private final String path;

    ImdsItem(String path) {
      this.path = path;
    }

    /** Below {@code latest/meta-data/}. */
    String path() {
      return path;
    }

    static boolean isName(String text) {
      return NAME.matcher(text).matches();
    }
  }
}
