package io.lapwing.linux;

import static io.lapwing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.linux.KernelLogState.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With a scripted device. */
class KernelLogTest {

  private static final Path KMSG = Path.of("/dev/kmsg");
  private static final Instant BOOT = Instant.parse("2025-02-23T16:00:00Z");
  private static final KernelLogState FOLLOWING = new KernelLogState.Following(KMSG, Kind.KMSG);

  private final RecordingListener listener = new RecordingListener();
  private final Queue<KernelLogFiles.Opener> openings = new ArrayDeque<>();
  private final ScriptedReader device = new ScriptedReader();
  private @Nullable KernelLog log;

  private KernelLog follow(OptionalLong after, KernelLog.Listener listener) {
    KernelLog followed =
        new KernelLog(
            new KernelLog.Settings(
                KMSG,
                List.of(),
                after,
                Optional.empty(),
                List.of("NVRM", "nvidia-nvswitch"),
                () -> ZoneOffset.UTC),
            InstantSource.fixed(BOOT.plusSeconds(60)),
            () -> Optional.of(BOOT),
            listener,
            this::open);
    log = followed;
    followed.start();
    return followed;
  }

  private KernelLog follow(OptionalLong after) {
    return follow(after, listener);
  }

  private synchronized KernelLogFiles.Opened open(Path path) throws IOException {
    KernelLogFiles.Opener opening = openings.poll();
    return opening == null ? opened(device) : opening.open(path);
  }

  private static KernelLogFiles.Opened opened(RecordReader reader) {
    return new KernelLogFiles.Opened(reader, Kind.KMSG);
  }

  private synchronized void opening(RecordReader reader) {
    openings.add(path -> opened(reader));
  }

  private synchronized void refusal(IOException why) {
    openings.add(
        path -> {
          throw why;
        });
  }

  @AfterEach
  void close() {
    KernelLog followed = log;
    if (followed != null) {
      followed.close();
    }
  }

  /** Of a device that was not readable in between; the texts come before that is reported. */
  private void awaitFollowedAgain() {
    await()
        .untilAsserted(
            () ->
                assertThat(listener.states()).hasSize(3).startsWith(FOLLOWING).endsWith(FOLLOWING));
  }

  private void awaitTexts(String... texts) {
    await().untilAsserted(() -> assertThat(listener.texts()).containsExactly(texts));
  }

  @Test
  void messagesOfInterestHaveTheirTimeAndSequence() {
    device.other(0).nvrm(1).record("4,2,2500000,-;nvidia-nvswitch0: SXid\n DEVICE=+pci:x\n");
    follow(OptionalLong.empty());
    await()
        .untilAsserted(
            () ->
                assertThat(listener.records())
                    .containsExactly(
                        new KernelRecord(
                            OptionalLong.of(1), Optional.of(BOOT.plusSeconds(1)), "NVRM: 1"),
                        new KernelRecord(
                            OptionalLong.of(2),
                            Optional.of(BOOT.plusMillis(2500)),
                            "nvidia-nvswitch0: SXid")));
    assertThat(listener.states()).containsExactly(FOLLOWING);
    assertThat(listener.lost()).isZero();
  }

  @Test
  void messagesOfUserSpaceAreSkipped() {
    device.record("12,0,1,-;NVRM: Xid (PCI:0000:53:00): 79\n").nvrm(1);
    follow(OptionalLong.empty());
    awaitTexts("NVRM: 1");
  }

  @Test
  void recordsUpToTheGivenSequenceAreSkipped() {
    LongStream.range(0, 6).forEach(device::nvrm);
    KernelLog followed = follow(OptionalLong.of(3));
    awaitTexts("NVRM: 4", "NVRM: 5");
    assertThat(listener.lost()).isZero();
    await().untilAsserted(() -> assertThat(followed.readTo()).hasValue(5));
  }

  @Test
  void recordsOverwrittenSinceTheGivenSequenceAreLost() {
    device.other(10).nvrm(11);
    follow(OptionalLong.of(3));
    awaitTexts("NVRM: 11");
    assertThat(listener.lost()).isEqualTo(6);
  }

  @Test
  void aFirstRecordWithAHighSequenceLosesNothing() {
    device.nvrm(5000);
    follow(OptionalLong.empty());
    awaitTexts("NVRM: 5000");
    assertThat(listener.lost()).isZero();
  }

  @Test
  void aGapBetweenOtherMessagesIsCountedToo() {
    device.other(0).other(1).other(5).nvrm(6);
    follow(OptionalLong.empty());
    awaitTexts("NVRM: 6");
    assertThat(listener.lost()).isEqualTo(3);
  }

  @Test
  void recordsThatTheKernelOverwroteAreCountedAndTheRestIsRead() {
    device.nvrm(0).overwritten().nvrm(100).overwritten().overwritten().nvrm(201);
    follow(OptionalLong.empty());
    awaitTexts("NVRM: 0", "NVRM: 100", "NVRM: 201");
    assertThat(listener.lost()).isEqualTo(99 + 100);
    assertThat(listener.states()).containsExactly(FOLLOWING);
  }

  @Test
  void anOverwrittenRecordIsRecognisedInAnyLocale() {
    device.nvrm(0).failure(new IOException("Datenübergabe unterbrochen")).nvrm(3);
    follow(OptionalLong.empty());
    awaitTexts("NVRM: 0", "NVRM: 3");
    assertThat(listener.lost()).isEqualTo(2);
  }

  @Test
  void aFailedDeviceIsReopenedAndNothingReportedTwice() {
    ScriptedReader broken = new ScriptedReader().nvrm(0).nvrm(1);
    for (int i = 0; i < 11; i++) {
      broken.failure(new IOException("Input/output error"));
    }
    opening(broken);
    device.nvrm(0).nvrm(1).nvrm(2);
    follow(OptionalLong.empty());
    awaitTexts("NVRM: 0", "NVRM: 1", "NVRM: 2");
    assertThat(broken.closed()).isTrue();
    assertThat(listener.lost()).isZero();
    awaitFollowedAgain();
    assertThat(listener.states().get(1))
        .isEqualTo(
            new KernelLogState.Unavailable(
                "io",
                "/dev/kmsg cannot be read: Input/output error",
                "check that dmesg can read it; the agent keeps retrying"));
  }

  @Test
  void aDeviceThatOpensButNeverReadsIsReportedAsFollowedOnce() {
    for (int opening = 0; opening < 3; opening++) {
      ScriptedReader broken = new ScriptedReader();
      for (int i = 0; i < 11; i++) {
        broken.failure(new IOException("Input/output error"));
      }
      opening(broken);
    }
    device.nvrm(0);
    follow(OptionalLong.empty());
    awaitTexts("NVRM: 0");
    awaitFollowedAgain();
  }

  @Test
  void openingIsRetriedAndEachReasonReportedOnce() {
    refusal(new NoSuchFileException("/dev/kmsg"));
    refusal(new NoSuchFileException("/dev/kmsg"));
    refusal(new AccessDeniedException("/dev/kmsg"));
    refusal(new FileSystemException("/dev/kmsg", null, "Operation not permitted"));
    device.nvrm(0);
    follow(OptionalLong.empty());
    awaitTexts("NVRM: 0");
    assertThat(listener.states())
        .containsExactly(
            new KernelLogState.Unavailable(
                "not_found",
                "/dev/kmsg does not exist",
                "mount the host's /dev/kmsg into the container, or set --path.kmsg"),
            new KernelLogState.Unavailable(
                "no_permission",
                "/dev/kmsg cannot be read: permission denied",
                "give the agent CAP_SYSLOG or run it as root"),
            new KernelLogState.Unavailable(
                "no_permission",
                "/dev/kmsg cannot be read: Operation not permitted",
                "give the agent CAP_SYSLOG or run it as root"),
            FOLLOWING);
  }

  @Test
  void garbageIsCountedAndSkipped() {
    device.record("\u0000\u00ff\u00fe NVRM\n").record("NVRM: Xid\n").nvrm(1);
    KernelLog followed = follow(OptionalLong.empty());
    awaitTexts("NVRM: 1");
    assertThat(followed.counts()).isEqualTo(new KernelLog.Counts(3, 2, 0));
  }

  @Test
  void aSlowListenerReceivesBatches() throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(1);
    KernelLog.Listener slow =
        new KernelLog.Listener() {
          @Override
          public void records(List<KernelRecord> batch) {
            listener.records(batch);
          }

          @Override
          public void lost(long messages) {
            listener.lost(messages);
          }

          @Override
          public void state(KernelLogState state) {
            try {
              busy.await();
            } catch (InterruptedException closed) {
              Thread.currentThread().interrupt();
            }
          }
        };
    int count = 3 * KernelLogDelivery.BATCH;
    LongStream.range(0, count).forEach(device::nvrm);
    KernelLog followed = follow(OptionalLong.empty(), slow);
    await().untilAsserted(() -> assertThat(followed.counts().records()).isGreaterThan(500));
    assertThat(followed.readTo()).isEmpty();
    busy.countDown();
    await().untilAsserted(() -> assertThat(listener.records()).hasSize(count));
    assertThat(listener.batches())
        .contains(KernelLogDelivery.BATCH)
        .allMatch(size -> size <= KernelLogDelivery.BATCH);
    await().untilAsserted(() -> assertThat(followed.readTo()).hasValue(count - 1));
  }

  @Test
  void aListenerThatThrowsReceivesTheNextMessages() {
    List<Throwable> thrown = new ArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, bug) -> thrown.add(bug));
    try {
      KernelLog.Listener throwing =
          new KernelLog.Listener() {
            @Override
            public void records(List<KernelRecord> batch) {
              listener.records(batch);
            }

            @Override
            public void lost(long messages) {
              listener.lost(messages);
            }

            @Override
            public void state(KernelLogState state) {
              throw new IllegalStateException("a bug of the listener");
            }
          };
      device.nvrm(0);
      follow(OptionalLong.empty(), throwing);
      await()
          .dontCatchUncaughtExceptions()
          .untilAsserted(() -> assertThat(listener.texts()).containsExactly("NVRM: 0"));
      assertThat(thrown).singleElement().isInstanceOf(IllegalStateException.class);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void closingInterruptsABlockedRead() {
    KernelLog followed = follow(OptionalLong.empty());
    await().untilAsserted(() -> assertThat(listener.states()).containsExactly(FOLLOWING));
    followed.close();
    await().until(device::closed);
    assertThat(listener.states()).containsExactly(FOLLOWING);
  }

  @Test
  void aClosedLogCannotBeStarted() {
    KernelLog followed =
        new KernelLog(
            KernelLog.Settings.nvidia(KMSG, Path.of("/"), OptionalLong.empty(), Optional.empty()),
            InstantSource.system(),
            Optional::empty,
            listener,
            this::open);
    followed.close();
    followed.start();
    assertThat(followed.counts()).isEqualTo(new KernelLog.Counts(0, 0, 0));
    assertThat(listener.states()).isEmpty();
  }

  @Test
  void theLogsOfAHostAreBelowItsRoot() {
    assertThat(
            KernelLog.Settings.nvidia(
                    KMSG, Path.of("/host"), OptionalLong.empty(), Optional.empty())
                .logs())
        .containsExactly(
            Path.of("/host/var/log/kern.log"),
            Path.of("/host/var/log/syslog"),
            Path.of("/host/var/log/messages"));
  }

  @Test
  void aSupplierThatThrowsIsReported() {
    KernelLog followed =
        new KernelLog(
            KernelLog.Settings.nvidia(KMSG, Path.of("/"), OptionalLong.empty(), Optional.empty()),
            InstantSource.system(),
            () -> {
              throw new IllegalStateException("no boot");
            },
            listener,
            this::open);
    log = followed;
    device.nvrm(0);
    followed.start();
    await()
        .untilAsserted(
            () ->
                assertThat(listener.states())
                    .startsWith(
                        FOLLOWING,
                        new KernelLogState.Unavailable(
                            "io",
                            "reading /dev/kmsg failed: java.lang.IllegalStateException: no boot",
                            "report this as a bug")));
  }
}
