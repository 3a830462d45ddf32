package io.lapwing.stack.fleet;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The duration of a dashboard query.
 *
 * @param seconds the median of three, or only the first if it is long, until the last byte of the
 *     response
 * @param bytes size of the response
 * @param error the error of Prometheus, else empty
 */
record QueryTime(DashboardQuery query, double seconds, long bytes, String error) {

  /** Points of a graph of six hours with a step of 36 s. */
  private static final int STEPS = 600;

  private static final int TIMES = 3;

  /** A query that takes longer is not repeated. */
  private static final double LONG_SECONDS = 1;

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /**
   * Runs the query.
   *
   * @param from start of the data and of range queries
   */
  static QueryTime of(URI prometheus, DashboardQuery query, Instant from)
      throws IOException, InterruptedException {
    List<Double> seconds = new ArrayList<>();
    HttpResponse<byte[]> answer;
    do {
      HttpRequest request = request(prometheus, query, from);
      long start = System.nanoTime();
      answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofByteArray());
      seconds.add((System.nanoTime() - start) / 1e9);
    } while (seconds.size() < TIMES && seconds.get(0) < LONG_SECONDS);
    String error =
        answer.statusCode() == 200 ? "" : new String(answer.body(), StandardCharsets.UTF_8);
    double median = seconds.stream().sorted().skip(seconds.size() / 2).findFirst().orElseThrow();
    return new QueryTime(query, median, answer.body().length, error);
  }

  private static HttpRequest request(URI prometheus, DashboardQuery query, Instant from) {
    Instant now = Instant.now();
    double step = (now.getEpochSecond() - from.getEpochSecond()) / (double) STEPS;
    String form = "query=" + URLEncoder.encode(query.expression(), StandardCharsets.UTF_8);
    if (!query.instant()) {
      form +=
          "&start=%d&end=%d&step=%.3f"
              .formatted(from.getEpochSecond(), now.getEpochSecond(), Math.max(0.1, step));
    }
    String path = query.instant() ? "/api/v1/query" : "/api/v1/query_range";
    return HttpRequest.newBuilder(URI.create(prometheus + path))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(form))
        .build();
  }
}
