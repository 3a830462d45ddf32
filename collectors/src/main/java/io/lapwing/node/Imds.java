package io.lapwing.node;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The instance metadata service of EC2, version 2: a token, which a {@code PUT} gets, goes with
 * every question. Used by one thread.
 */
final class Imds {

  /** The longest that it grants: six hours. */
  private static final long TOKEN_SECONDS = 21_600;

  private static final String TOKEN = "latest/api/token";
  private static final String TTL_HEADER = "X-aws-ec2-metadata-token-ttl-seconds";
  private static final String TOKEN_HEADER = "X-aws-ec2-metadata-token";

  private final MetadataHttp http;
  private final LongSupplier nanoTime;
  private @Nullable Token token;

  private record Token(String text, long until) {}

  /**
   * Nothing is asked yet.
   *
   * @param base {@code http://169.254.169.254}, without a path
   */
  Imds(URI base, LongSupplier nanoTime) {
    this.http = new MetadataHttp(base, nanoTime);
    this.nanoTime = nanoTime;
  }

  URI base() {
    return http.base();
  }

  /** Gets a token, unless the one that is there holds for a while; the reading is its text. */
  Reading<String> open() {
    Token held = token;
    if (held != null && held.until() - nanoTime.getAsLong() > 0) {
      return Reading.of(held.text());
    }
    MetadataHttp.Answer answer = http.ask("PUT", TOKEN, TTL_HEADER, String.valueOf(TOKEN_SECONDS));
    if (answer.status() != HttpURLConnection.HTTP_OK) {
      return failed(TOKEN, answer);
    }
    String text = answer.body().strip();
    if (!text.matches("[!-~]{1,1024}")) {
      return new Reading.Failed<>(TOKEN, "malformed");
    }
    token = new Token(text, nanoTime.getAsLong() + lifetime(answer.header()).toNanos());
    return Reading.of(text);
  }

  /** How long a token is used: it is renewed a while before it ends. */
  private static Duration lifetime(@Nullable String ttl) {
    boolean told = ttl != null && ttl.matches("\\d{1,5}");
    long seconds = told ? Math.min(Long.parseLong(ttl), TOKEN_SECONDS) : TOKEN_SECONDS;
    return Duration.ofSeconds(seconds * 9 / 10);
  }

  /**
   * The text of an item.
   *
   * @param path below {@code latest/meta-data/}
   * @return missing where there is no such item
   */
  Reading<String> get(String path) {
    Reading<String> reading = getOnce(path);
    // The service may have forgotten the token before its time; a second refusal is meant.
    return token == null && reading.failure().filter("refused"::equals).isPresent()
        ? getOnce(path)
        : reading;
  }

  private Reading<String> getOnce(String path) {
    Reading<String> opened = open();
    if (!(opened instanceof Reading.Present<String> present)) {
      return opened;
    }
    MetadataHttp.Answer answer =
        http.ask("GET", "latest/meta-data/" + path, TOKEN_HEADER, present.value());
    if (answer.status() == HttpURLConnection.HTTP_OK) {
      return Reading.of(answer.body().strip());
    }
    if (answer.status() == HttpURLConnection.HTTP_NOT_FOUND) {
      return new Reading.Missing<>(path);
    }
    if (answer.status() == HttpURLConnection.HTTP_UNAUTHORIZED) {
      token = null;
    }
    return failed(path, answer);
  }

  /** Whether there was any answer; counts a failure. */
  static boolean answered(Reading<String> reading, SampleSink sink) {
    if (reading instanceof Reading.Failed<String> failed) {
      sink.failed(failed.question(), failed.reason());
      return false;
    }
    return true;
  }

  private static Reading<String> failed(String question, MetadataHttp.Answer answer) {
    String reason =
        switch (answer.status()) {
          case 0 -> answer.body();
          case HttpURLConnection.HTTP_UNAUTHORIZED, HttpURLConnection.HTTP_FORBIDDEN -> "refused";
          default -> "bad_status";
        };
    return new Reading.Failed<>(question, reason);
  }
}
