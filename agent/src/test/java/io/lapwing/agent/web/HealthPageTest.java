package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HealthPageTest {
  private HealthReport report = MadeReports.failing();
  private final HealthPage page = new HealthPage(() -> report);

  private record Coding(@Nullable String coding) implements Query {

    @Override
    public @Nullable String header(String name) {
      return name.equals("Accept-Encoding") ? coding : null;
    }

    @Override
    public Set<String> names() {
      return Set.of();
    }

    @Override
    public List<String> parameters(String name) {
      return List.of();
    }
  }

  private Answer answer(@Nullable String coding) {
    return page.answer(new Coding(coding));
  }

  @Test
  void responsesOfOneReportShareTheirBytes() {
    assertThat(answer(null).body()).isSameAs(answer(null).body());
    assertThat(answer("gzip").body()).isSameAs(answer("gzip").body());
    byte[] first = answer(null).body();

    report = MadeReports.failing();

    assertThat(answer(null).body()).as("equal reports").isSameAs(first);
  }

  @Test
  void aNewReportIsSent() throws Exception {
    answer(null);
    answer("gzip");
    report = MadeReports.judged(Instant.now());

    assertThat(answer(null).body()).isEqualTo(HealthJson.write(report));
    Answer zipped = answer("gzip");
    assertThat(zipped.headers()).containsEntry("Content-Encoding", "gzip");
    assertThat(new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes())
        .isEqualTo(HealthJson.write(report));
  }
}
