package io.lapwing.linux;

import io.lapwing.linux.KmsgRecord.KmsgHeader;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** Delivers the kernel's records of /dev/kmsg that contain a word of interest. */
final class KmsgSink implements LogPump.Sink {

  private final KmsgSequences sequences;
  private final ByteWords words;
  private final Supplier<Optional<Instant>> boot;
  private final KernelLogDelivery delivery;
  private final KernelLogTally tally;

  KmsgSink(
      KmsgSequences sequences,
      ByteWords words,
      Supplier<Optional<Instant>> boot,
      KernelLogDelivery delivery,
      KernelLogTally tally) {
    this.sequences = sequences;
    this.words = words;
    this.boot = boot;
    this.delivery = delivery;
    this.tally = tally;
  }

  @Override
  public void record(byte[] bytes, int from, int to) throws InterruptedException {
    tally.record();
    Optional<KmsgHeader> header = KmsgHeader.parse(bytes, from, to);
    if (header.isEmpty()) {
      tally.malformed();
      return;
    }
    long missing = sequences.missingBefore(header.get().sequence());
    if (missing > 0) {
      delivery.lost(missing);
    }
    if (sequences.pass(header.get().sequence()) && ofInterest(header.get(), bytes, to)) {
      deliver(KmsgRecord.of(header.get(), bytes, to));
    }
  }

  private boolean ofInterest(KmsgHeader header, byte[] bytes, int to) {
    return header.ofKernel() && words.in(bytes, header.text(), to);
  }

  private void deliver(KmsgRecord parsed) throws InterruptedException {
    Optional<KernelRecord> record = parsed.ofKernel(boot.get());
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
