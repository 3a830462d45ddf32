package io.lapwing.linux;

import static io.lapwing.Waiting.await;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.linux.KernelLogState.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With real files. */
class KernelLogFilesTest {

  private static final Instant BOOT = Instant.parse("2025-02-23T16:00:00Z");
  private static final Instant NOW = BOOT.plus(Duration.ofHours(1));

  private final RecordingListener listener = new RecordingListener();
  private final List<KernelLog> logs = new ArrayList<>();
  private Path kmsg = Path.of("");
  private Path kern = Path.of("");

  @BeforeEach
  void folder(@TempDir Path dir) {
    kmsg = dir.resolve("kmsg");
    kern = dir.resolve("kern.log");
  }

  @AfterEach
  void close() {
    logs.forEach(KernelLog::close);
  }

  private KernelLog follow(OptionalLong after, RecordingListener target) {
    KernelLog log =
        new KernelLog(
            new KernelLog.Settings(
                kmsg,
                List.of(kern.resolveSibling("not-there.log"), kern),
                after,
                Optional.empty(),
                List.of("NVRM"),
                () -> ZoneOffset.UTC),
            InstantSource.fixed(NOW),
            () -> Optional.of(BOOT),
            target);
    logs.add(log);
    log.start();
    return log;
  }

  private KernelLog follow() {
    return follow(OptionalLong.empty(), listener);
  }

  private static String nvrm(long sequence) {
    return "4," + sequence + ",1000000,-;NVRM: " + sequence + "\n";
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardCharsets.ISO_8859_1, CREATE, APPEND);
  }

  private void awaitTexts(String... texts) {
    await().untilAsserted(() -> assertThat(listener.texts()).containsExactly(texts));
  }

  private void awaitStates(KernelLogState... states) {
    await().untilAsserted(() -> assertThat(listener.states()).containsExactly(states));
  }

  private KernelLogState following() {
    return new KernelLogState.Following(kmsg, Kind.FILE);
  }

  @Test
  void aRegularFileIsReadFromItsBeginningAndFollowed() throws IOException {
    append(kmsg, nvrm(0));
    KernelLog log = follow();
    awaitTexts("NVRM: 0");
    append(kmsg, "6,1,1,-;other\n" + nvrm(2) + " DEVICE=x\n more\n");
    awaitTexts("NVRM: 0", "NVRM: 2\nmore");
    assertThat(listener.lost()).isZero();
    awaitStates(following());
    await().untilAsserted(() -> assertThat(log.readTo()).hasValue(2));
  }

  @Test
  void thePositionAdvancesWithoutMessagesOfInterest() throws IOException {
    append(kmsg, "6,0,1,-;other\n6,1,1,-;other\n");
    KernelLog log = follow();
    await().untilAsserted(() -> assertThat(log.readTo()).hasValue(1));
    assertThat(listener.texts()).isEmpty();
  }

  @Test
  void anIncompleteLineIsReadWhenComplete() throws IOException {
    append(kmsg, nvrm(0) + "4,1,1,-;NVRM: be");
    follow();
    awaitTexts("NVRM: 0");
    append(kmsg, "gun and ended\n");
    awaitTexts("NVRM: 0", "NVRM: begun and ended");
  }

  @Test
  void aTruncatedFileIsReadFromItsStart() throws IOException {
    append(kmsg, nvrm(0) + nvrm(1) + nvrm(2) + "4,3,1,-;half");
    follow();
    awaitTexts("NVRM: 0", "NVRM: 1", "NVRM: 2");
    Files.writeString(kmsg, nvrm(0), WRITE, TRUNCATE_EXISTING);
    awaitTexts("NVRM: 0", "NVRM: 1", "NVRM: 2", "NVRM: 0");
    assertThat(listener.lost()).isZero();
    awaitStates(following());
  }

  @Test
  void aReplacedFileIsReadToItsEndAndTheNewOneFromItsStart() throws IOException {
    append(kmsg, nvrm(7));
    follow();
    awaitTexts("NVRM: 7");
    Path moved = kmsg.resolveSibling("kmsg.1");
    Files.move(kmsg, moved);
    append(moved, nvrm(8));
    append(kmsg, nvrm(0));
    awaitTexts("NVRM: 7", "NVRM: 8", "NVRM: 0");
    awaitStates(following());
  }

  @Test
  void aRemovedFileIsReopenedWhenItReturns() throws IOException {
    append(kmsg, nvrm(7));
    follow();
    awaitTexts("NVRM: 7");
    Files.delete(kmsg);
    await().untilAsserted(() -> assertThat(listener.states()).hasSize(2));
    assertThat(listener.states().get(1))
        .isInstanceOfSatisfying(
            KernelLogState.Unavailable.class,
            unavailable -> {
              assertThat(unavailable.reason()).isEqualTo("not_found");
              assertThat(unavailable.why()).isEqualTo(kmsg + " does not exist");
            });
    append(kmsg, nvrm(0));
    awaitTexts("NVRM: 7", "NVRM: 0");
    assertThat(listener.states()).hasSize(3).endsWith(following());
  }

  @Test
  void aSecondBootInOneFileIsReadToo() throws IOException {
    append(kmsg, nvrm(5) + nvrm(6) + nvrm(0) + nvrm(1));
    follow(OptionalLong.of(5), listener);
    awaitTexts("NVRM: 6", "NVRM: 0", "NVRM: 1");
    assertThat(listener.lost()).isZero();
  }

  @Test
  void aRestartReportsNothingTwice() throws IOException {
    append(kmsg, nvrm(0) + nvrm(1));
    KernelLog first = follow();
    await().untilAsserted(() -> assertThat(first.readTo()).hasValue(1));
    first.close();
    append(kmsg, nvrm(2) + nvrm(5));
    RecordingListener second = new RecordingListener();
    follow(first.readTo(), second);
    await().untilAsserted(() -> assertThat(second.texts()).containsExactly("NVRM: 2", "NVRM: 5"));
    assertThat(second.lost()).isEqualTo(2);
    assertThat(listener.texts()).containsExactly("NVRM: 0", "NVRM: 1");
  }

  @Test
  void readingContinuesAfterALineOfAMegabyteAndGarbage() throws IOException {
    append(kmsg, "4,0,1,-;NVRM: " + "x".repeat(1_000_000) + "\n");
    append(kmsg, "\u0000\u00ff\u00fe\n \n\n;\n4,1\n" + nvrm(1));
    KernelLog log = follow();
    await().untilAsserted(() -> assertThat(listener.texts()).hasSize(2));
    assertThat(listener.texts().get(0)).startsWith("NVRM: xxx").hasSizeLessThan(64 * 1024);
    assertThat(listener.texts().get(1)).isEqualTo("NVRM: 1");
    assertThat(log.counts().cut()).isEqualTo(1);
    assertThat(log.counts().malformed()).isPositive();
  }

  @Test
  void aBurstIsReportedCompletelyOrCountedAsLost() throws IOException {
    int count = 200_000;
    append(kmsg, "");
    KernelLog log = follow();
    try (OutputStream out = Files.newOutputStream(kmsg, APPEND)) {
      StringBuilder some = new StringBuilder();
      for (int sequence = 0; sequence < count; sequence++) {
        some.append(nvrm(sequence));
        if (sequence % 997 == 0 || sequence == count - 1) {
          out.write(some.toString().getBytes(StandardCharsets.US_ASCII));
          some.setLength(0);
        }
      }
    }
    await().untilAsserted(() -> assertThat(log.readTo()).hasValue(count - 1));
    List<KernelRecord> records = listener.records();
    assertThat(records.size() + listener.lost()).isEqualTo(count);
    assertThat(records).hasSize(count);
    for (int sequence = 0; sequence < count; sequence++) {
      assertThat(records.get(sequence).sequence().orElseThrow()).isEqualTo(sequence);
    }
    assertThat(listener.batches()).allMatch(size -> size <= KernelLogDelivery.BATCH);
  }

  @Test
  void aFifoIsFollowedAcrossItsWriters() throws IOException, InterruptedException {
    assumeTrue(mkfifo(kmsg), "no mkfifo here");
    KernelLog log = follow();
    awaitStates(new KernelLogState.Following(kmsg, Kind.KMSG));
    append(kmsg, nvrm(0));
    awaitTexts("NVRM: 0");
    append(kmsg, nvrm(1) + "4,2,1,-;NVRM: be");
    append(kmsg, "gun\n");
    awaitTexts("NVRM: 0", "NVRM: 1", "NVRM: begun");
    log.close();
    assertThat(listener.states()).hasSize(1);
  }

  @Test
  void whatAFifosWriterSendsAgainIsSkipped() throws IOException, InterruptedException {
    assumeTrue(mkfifo(kmsg), "no mkfifo here");
    follow();
    awaitStates(new KernelLogState.Following(kmsg, Kind.KMSG));
    append(kmsg, nvrm(0) + nvrm(1) + nvrm(2));
    awaitTexts("NVRM: 0", "NVRM: 1", "NVRM: 2");

    append(kmsg, nvrm(0) + nvrm(1) + nvrm(2) + nvrm(3));
    awaitTexts("NVRM: 0", "NVRM: 1", "NVRM: 2", "NVRM: 3");
    append(kmsg, nvrm(7));
    awaitTexts("NVRM: 0", "NVRM: 1", "NVRM: 2", "NVRM: 3", "NVRM: 7");
    assertThat(listener.lost()).isEqualTo(3);
  }

  private static boolean mkfifo(Path path) throws InterruptedException {
    try {
      return new ProcessBuilder("mkfifo", path.toString()).start().waitFor() == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  @Test
  void aFolderIsNotALog() throws IOException {
    Files.createDirectory(kmsg);
    follow();
    await().untilAsserted(() -> assertThat(listener.states()).hasSize(1));
    assertThat(listener.states().get(0))
        .isInstanceOfSatisfying(
            KernelLogState.Unavailable.class,
            unavailable ->
                assertThat(unavailable.why())
                    .isEqualTo(kmsg + " cannot be read: not a device, a FIFO or a regular file"));
  }

  private static String line(String time, String text) {
    return "Feb 23 " + time + " host kernel: [    1.000000] NVRM: " + text + "\n";
  }

  @Test
  void aLogFileReplacesAMissingDeviceFromTheBootOn() throws IOException {
    append(
        kern,
        line("15:59:59", "before the boot")
            + "half a line NVRM: without a time\n"
            + line("16:00:01", "first")
            + "Feb 23 16:00:02 host python[1]: NVRM: forged\n"
            + "NVRM: bare\n"
            + line("16:00:01", "of the same second"));
    KernelLog log = follow();
    awaitTexts("NVRM: first", "NVRM: of the same second");
    append(kern, line("16:00:03", "third") + "Feb 23 16:00:02 host python[1]: NVRM: forged\n");
    awaitTexts("NVRM: first", "NVRM: of the same second", "NVRM: third");
    assertThat(listener.records().get(2))
        .isEqualTo(
            new KernelRecord(
                OptionalLong.empty(), Optional.of(BOOT.plusSeconds(3)), "NVRM: third"));
    awaitStates(new KernelLogState.Fallback(kern, kmsg + " does not exist"));
    assertThat(log.readTo()).isEmpty();
  }

  @Test
  void onlyWholeLinesOfTheLastMegabyteOfALogFileAreRead() throws IOException {
    String first = line("16:00:01", "too far back");
    String filler = "Feb 23 16:00:01 host cron[1]: " + "x".repeat(9_970) + "\n";
    append(kern, first + filler.repeat(104) + filler.repeat(2) + line("16:00:02", "near"));
    follow();
    awaitTexts("NVRM: near");
  }

  @Test
  void aLogFileIsFollowedThroughItsRotation() throws IOException {
    append(kern, line("16:00:01", "one"));
    follow();
    awaitTexts("NVRM: one");
    Files.move(kern, kern.resolveSibling("kern.log.1"));
    append(kern, line("16:00:01", "two"));
    awaitTexts("NVRM: one", "NVRM: two");
    assertThat(listener.states()).hasSize(1);
  }

  @Test
  void whatAWriterAddsToARotatedFileBeforeItReopensTheNameIsRead() throws Exception {
    append(kern, line("16:00:01", "one"));
    follow();
    awaitTexts("NVRM: one");
    Path rotated = kern.resolveSibling("kern.log.1");
    Files.move(kern, rotated);
    append(kern, "");
    Thread.sleep(1500); // longer than a replaced file with content is kept
    append(rotated, line("16:00:02", "two"));
    awaitTexts("NVRM: one", "NVRM: two");
    append(kern, line("16:00:03", "three"));
    awaitTexts("NVRM: one", "NVRM: two", "NVRM: three");
    assertThat(listener.states()).hasSize(1);
  }

  @Test
  void aFolderThatIsReplacedIsWatchedAgain() throws Exception {
    Path folder = Files.createDirectory(kmsg.resolveSibling("folder"));
    kmsg = Files.createFile(folder.resolve("kmsg"));
    try (FileWatch watch = new FileWatch(kmsg, 300)) {
      Files.move(folder, folder.resolveSibling("old"));
      Files.createDirectory(folder);
      append(kmsg, "new");
      watch.await(); // no event: it looks again

      awaitChangeOf(kmsg, watch);
    }
  }

  @Test
  void aLinkedFileIsWatchedWhereItIs() throws Exception {
    Path folder = Files.createDirectory(kmsg.resolveSibling("folder"));
    Path file = Files.createFile(folder.resolve("kmsg"));
    Files.createSymbolicLink(kmsg, file);
    try (FileWatch watch = new FileWatch(kmsg, 300)) {
      awaitChangeOf(file, watch);
    }
  }

  /** A wait without an event ends with a renewal, so the first one of these may take that long. */
  private static void awaitChangeOf(Path file, FileWatch watch) throws Exception {
    for (int change = 0; change < 5; change++) {
      append(file, "more");
      watch.await();
      watch.changed();
    }
    assertThat(watch.isReported()).isTrue();
  }

  @Test
  void changesWithoutEventsAreFoundByPolling() throws Exception {
    append(kmsg, "some");
    try (FileWatch watch = new FileWatch(kmsg, 300)) {
      for (int change = 0; change < 2; change++) {
        assertThat(watch.isReported()).isTrue();
        watch.await();
        watch.changed(); // which inotify did not report
      }
      assertThat(watch.isReported()).isFalse();
    }
  }

  @Test
  void aLogFileThatIsRemovedAndReturnsReportsNothingTwice() throws IOException {
    append(kern, line("16:00:01", "one"));
    follow();
    awaitTexts("NVRM: one");
    Files.delete(kern);
    await().untilAsserted(() -> assertThat(listener.states()).hasSize(2));
    append(kern, line("16:00:01", "one") + line("16:00:02", "two"));
    awaitTexts("NVRM: one", "NVRM: two");
  }

  @Test
  void theDeviceOfThisMachineIsReadAndABlockedReadIsInterrupted() {
    Path device = Path.of("/dev/kmsg");
    assumeTrue(readable(device), "/dev/kmsg cannot be opened here");
    kmsg = device;
    KernelLog log =
        new KernelLog(
            new KernelLog.Settings(
                device,
                List.of(),
                OptionalLong.empty(),
                Optional.empty(),
                List.of(),
                () -> ZoneOffset.UTC),
            InstantSource.system(),
            () -> new ProcFs(Path.of("/proc")).bootTime(InstantSource.system()).toOptional(),
            listener);
    logs.add(log);
    log.start();
    await().untilAsserted(() -> assertThat(listener.records()).hasSizeGreaterThan(10));
    awaitStates(new KernelLogState.Following(device, Kind.KMSG));
    log.close();
    assertThat(listener.records())
        .isSortedAccordingTo((one, other) -> Long.compare(number(one), number(other)))
        .allSatisfy(
            record -> assertThat(record.at().orElseThrow()).isBefore(Instant.now().plusSeconds(5)));
    assertThat(log.counts().malformed()).isZero();
    assertThat(log.readTo().orElseThrow()).isGreaterThanOrEqualTo(10);
  }

  private static long number(KernelRecord record) {
    return record.sequence().orElseThrow();
  }

  private static boolean readable(Path device) {
    try {
      KernelLogFiles.kmsg(device).reader().close();
      return true;
    } catch (IOException refused) {
      return false;
    }
  }
}
