package io.lapwing.linux;

import io.lapwing.linux.KmsgRecord.KmsgHeader;
import java.util.Optional;

/** Delivers the kernel's records of /dev/kmsg that contain a word of interest. */
final class KmsgSink implements LogPump.Sink {

  private final KmsgSequences sequences;
  private final ByteWords words;
  private final KernelClock clock;
  private final KernelLogDelivery delivery;
  private final KernelLogTally tally;

  KmsgSink(
      KmsgSequences sequences,
      ByteWords words,
      KernelClock clock,
      KernelLogDelivery delivery,
      KernelLogTally tally) {
    this.sequences = sequences;
    this.words = words;
    this.clock = clock;
    this.delivery = delivery;
    this.tally = tally;
  }

  /** A log was opened, and its oldest records come first; {@code device}: it is /dev/kmsg. */
  void reopened(boolean device) {
    sequences.reopened(device);
    clock.reopened();
  }

  @Override
  public void record(byte[] bytes, int from, int to) throws InterruptedException {
    tally.record();
    Optional<KmsgHeader> header = KmsgHeader.parse(bytes, from, to);
    if (header.isEmpty()) {
      tally.malformed();
      return;
    }
    clock.read(header.get().usec());
    long missing = sequences.missingBefore(header.get().sequence());
    if (missing > 0) {
      delivery.lost(missing);
    }
    if (sequences.pass(header.get().sequence()) && ofInterest(header.get(), bytes, to)) {
      deliver(KmsgRecord.of(header.get(), bytes, to));
    }
    clock.handled();
  }

  private boolean ofInterest(KmsgHeader header, byte[] bytes, int to) {
    return header.ofKernel() && words.in(bytes, header.text(), to);
  }

  private void deliver(KmsgRecord parsed) throws InterruptedException {
    Optional<KernelRecord> record = parsed.ofKernel(clock.zero());
    if (record.isPresent()) {
      delivery.message(record.get());
    }
  }

  @Override
  public void caughtUp() throws InterruptedException {
    delivery.read(sequences.passed());
  }

  @Override
  public void replaced() {
    sequences.reset();
  }
}
