package io.lapwing.drain.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordFilesTest {

  private static final String STARTED =
      "{\"kind\":\"started\",\"at\":\"2026-11-01T00:00:00Z\",\"version\":\"1\"}\n";
  private static final String OPENED =
      "{\"kind\":\"finding_opened\",\"at\":\"2026-11-01T01:00:00Z\",\"rule\":\"r\","
          + "\"subject\":\"node\",\"severity\":\"failing\",\"action\":\"reset_gpu\"}\n";
  private static final String READ =
      "{\"kind\":\"kernel_log_read\",\"at\":\"2026-11-01T02:00:00Z\",\"sequence\":1,\"lost\":0}\n";

  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static Recording events(String... arguments) throws Exception {
    return new RecordFiles(List.of(arguments), List.of(), Optional.empty(), OptionalInt.empty())
        .read();
  }

  private void refused(String text, String why) throws IOException {
    Path file = file("log.jsonl", text);
    assertThatThrownBy(() -> events("gpu-1=" + file))
        .isInstanceOf(UnreadableRecord.class)
        .hasMessage(file + why);
  }

  @Test
  void aBadLineOfALogIsNamed() throws IOException {
    refused(
        STARTED + "{\"kind\":\n",
        ":2: event: not JSON: Unexpected end-of-input within/between Object entries");
    refused(STARTED + "[]\n", ":2: event: not one JSON object");
    refused(STARTED + "{\"kind\":\"x\"}\n", ":2: at: missing");
    refused(STARTED + OPENED.replace("reset_gpu", "dance"), ":2: action: not an action");
    refused(STARTED + OPENED.replace("failing", "bad"), ":2: severity: not a severity");
    refused(STARTED + OPENED.replace("2026-11-01T01", "yesterday"), ":2: at: not a time");
    refused("", ": no events");
  }

  @Test
  void aLineThatWasBeingWrittenIsLeftOut() throws Exception {
    Path file = file("log.jsonl", STARTED + READ + OPENED.substring(0, 40));

    assertThat(events("gpu-1=" + file).asks()).isEmpty();
  }

  @Test
  void aBatchWithoutItsEndDoesNotCount() throws Exception {
    Path file = file("log.jsonl", STARTED + READ + OPENED.replace("}", ",\"more\":true}"));

    assertThat(events("gpu-1=" + file).asks()).isEmpty();
  }

  @Test
  void anEventInTwoFilesCountsOnce() throws Exception {
    Path node = Files.createDirectory(folder.resolve("gpu-1"));
    Files.writeString(node.resolve("events-000001.jsonl"), STARTED + OPENED);
    Files.writeString(
        node.resolve("events.jsonl"),
        STARTED.replace("}", ",\"complete\":true,\"carried\":true}")
            + OPENED.replace("}", ",\"carried\":true}")
            + READ);

    Recording recording = events(folder.toString());

    assertThat(recording.asks()).hasSize(1);
    assertThat(recording.from()).isEqualTo("2026-11-01T00:00:00Z");
    assertThat(recording.nodeDays()).isEqualTo(Duration.ofHours(2).toSeconds() / 86_400.0);
  }

  @Test
  void findingsThatWereOverBeforeTheLogBeginsAreLeftOut() throws Exception {
    String closed =
        "{\"kind\":\"finding_closed\",\"at\":\"2026-11-01T01:30:00Z\",\"rule\":\"r\","
            + "\"subject\":\"node\",\"carried\":true}\n";
    Path file = file("log.jsonl", OPENED.replace("}", ",\"carried\":true}") + closed + READ);

    assertThat(events("gpu-1=" + file).asks()).isEmpty();
  }

  @Test
  void aFolderWithoutLogsAndTwoLogsOfANodeAreRefused() throws Exception {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThatThrownBy(() -> events(empty.toString()))
        .hasMessage(empty + ": has neither NODE.jsonl nor NODE/events.jsonl");
    Path file = file("log.jsonl", STARTED);
    assertThatThrownBy(() -> events("gpu-1=" + file, "gpu-1=" + file))
        .hasMessage(file + ": a second log of gpu-1");
    assertThatThrownBy(() -> events(file.toString()))
        .hasMessage(file + ": neither a folder nor NODE=PATH");
  }

  private void badJobs(String text, String why) throws IOException {
    Path log = file("log.jsonl", STARTED);
    Path jobs = file("jobs.csv", text);
    RecordFiles files =
        new RecordFiles(List.of("gpu-1=" + log), List.of(), Optional.of(jobs), OptionalInt.empty());
    assertThatThrownBy(files::read).isInstanceOf(UnreadableRecord.class).hasMessage(jobs + why);
  }

  @Test
  void aBadLineOfTheJobsIsNamed() throws IOException {
    String titles = "job,user,nodes,gpus,start,end\n";
    String times = ",8,2026-11-01T00:00:00Z,2026-11-01T01:00:00Z\n";
    badJobs(
        "", ":1: not job,user,nodes,gpus,start,end or job,user,nodes,gpus,start,end,checkpoints");
    badJobs(titles + "1,ada,gpu-[1-2,4]" + times, ":2: has 7 fields, and not 6");
    badJobs(titles + "1,ada,\"gpu-[1-2" + times, ":2: a double quote is missing");
    badJobs(titles + "\n1,ada,gpu-[2-1]" + times, ":3: nodes: not a range of a host list: 2-1");
    badJobs(titles + "1,ada,gpu-1,8,now,\n", ":2: start: not a time such as 2026-11-25T20:33:05Z");
    badJobs(
        titles + "1,ada,gpu-1,many,2026-11-01T00:00:00Z,\n",
        ":2: gpus: not a whole number of at least 0");
    badJobs(
        titles + "1,ada,gpu-1,8,2026-11-01T02:00:00Z,2026-11-01T01:00:00Z\n",
        ":2: end: before the start");
    badJobs(
        titles + ("1,ada,gpu-1" + times).repeat(2),
        ":3: job: missing, or there twice with that start");
  }

  private void badAlerts(String text, String why) throws IOException {
    Path file = file("alerts.json", text);
    RecordFiles files =
        new RecordFiles(List.of(), List.of(file), Optional.empty(), OptionalInt.empty());
    assertThatThrownBy(files::read)
        .isInstanceOf(UnreadableRecord.class)
        .hasMessageStartingWith(file + why);
  }

  private static String matrix(String series) {
    return "{\"data\":{\"resultType\":\"matrix\",\"result\":[" + series + "]}}";
  }

  @Test
  void aBadPlaceOfAnExportIsNamed() throws IOException {
    badAlerts("{\n\"data\":\n", ":3: not JSON: ");
    badAlerts("{\"status\":\"error\"}", ": data: not the matrix of a query_range");
    badAlerts(matrix(""), ": data.result: empty");
    badAlerts(matrix("{\"values\":[]}"), ": data.result[0].values: missing, empty");
    badAlerts(
        matrix("{\"values\":[[2,\"1\"],[1,\"1\"]]}"),
        ": data.result[0].values[1]: not a time, or not in order");
    badAlerts(
        matrix("{\"metric\":{\"action\":\"dance\"},\"values\":[[1,\"1\"]]}"),
        ": data.result[0].metric.action: not an action");
    badAlerts(
        matrix(
            "{\"metric\":{\"action\":\"reset_gpu\",\"instance\":\"--all\",\"alertname\":\"A\"},"
                + "\"values\":[[1,\"1\"]]}"),
        ": data.result[0].metric.instance: not the name of a node");
  }

  @Test
  void anAlertThatFiresFromOneExportIntoTheNextIsOne() throws Exception {
    String labels =
        "{\"metric\":{\"alertname\":\"A\",\"instance\":\"gpu-1:9754\",\"action\":\"reset_gpu\"},";
    Path first = file("1.json", matrix(labels + "\"values\":[[60,\"1\"],[120,\"1\"]]}"));
    Path second = file("2.json", matrix(labels + "\"values\":[[180,\"1\"],[900,\"1\"]]}"));

    Recording recording =
        new RecordFiles(List.of(), List.of(first, second), Optional.empty(), OptionalInt.empty())
            .read();

    assertThat(recording.asks())
        .extracting(ask -> ask.from().getEpochSecond(), ask -> ask.to().isPresent())
        .containsExactly(tuple(60L, true), tuple(900L, false));
  }

  @Test
  void aClusterIsNotSmallerThanItsRecord() throws Exception {
    Path one = file("log.jsonl", STARTED);
    RecordFiles files =
        new RecordFiles(
            List.of("gpu-1=" + one, "gpu-2=" + one),
            List.of(),
            Optional.empty(),
            OptionalInt.of(1));

    assertThatThrownBy(files::read).hasMessage("--nodes: 1 is less than the 2 nodes of the record");
  }
}
