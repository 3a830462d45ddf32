package io.lapwing.stack.fleet;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * How long a dashboard's query took.
 *
 * @param seconds the median of three, from asking to the answer's last byte
 * @param bytes of the answer
 * @param error what Prometheus said instead; else empty
 */
record QueryTime(DashboardQuery query, double seconds, long bytes, String error) {

  /** As many points as a graph of six hours with one each 36 s. */
  private static final int STEPS = 600;

  /**
   * @param from when the data begins: a range is asked for from there to now
   */
  static QueryTime of(URI prometheus, DashboardQuery query, Instant from)
      throws IOException, InterruptedException {
    double[] seconds = new double[3];
    HttpResponse<byte[]> answer = null;
    for (int i = 0; i < seconds.length; i++) {
      HttpRequest request = request(prometheus, query, from);
      long start = System.nanoTime();
      answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
      seconds[i] = (System.nanoTime() - start) / 1e9;
    }
    java.util.Arrays.sort(seconds);
    byte[] body = answer == null ? new byte[0] : answer.body();
    boolean good = answer != null && answer.statusCode() == 200;
    String error = good ? "" : new String(body, StandardCharsets.UTF_8);
    return new QueryTime(query, seconds[1], body.length, error);
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
