package io.lapwing.agent.web;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.common.web.Page;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The health as JSON. The responses of one report share an array, so that clients that do not read
 * theirs hold two arrays for each evaluation, however many they are.
 */
final class HealthPage implements Page {
  private static final String TYPE = "application/json";
  private static final Map<String, String> VARY = Map.of("Vary", "Accept-Encoding");
  private static final Map<String, String> VARY_GZIP =
      Map.of("Vary", "Accept-Encoding", "Content-Encoding", "gzip");

  private final Supplier<HealthReport> health;

  private @Nullable HealthReport report;
  private byte[] plain = {};
  private byte @Nullable [] gzip;

  HealthPage(Supplier<HealthReport> health) {
    this.health = health;
  }

  @Override
  public synchronized Answer answer(Query query) {
    render(health.get());
    if (!Gzipped.isWanted(plain, query)) {
      return new Answer(200, TYPE, VARY, plain);
    }
    byte[] zipped = gzip == null ? Gzipped.gzip(plain) : gzip;
    gzip = zipped;
    return new Answer(200, TYPE, VARY_GZIP, zipped);
  }

  /** A stale report is made for each request, so the bytes are compared too. */
  @SuppressWarnings("ReferenceEquality")
  private void render(HealthReport current) {
    if (report == current) {
      return;
    }
    byte[] json = HealthJson.write(current);
    if (!Arrays.equals(json, plain)) {
      plain = json;
      gzip = null;
    }
    report = current;
  }
}
