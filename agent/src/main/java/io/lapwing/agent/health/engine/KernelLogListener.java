package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.HealthSamples.KernelLogCounts;
import io.lapwing.common.log.Log;
import io.lapwing.linux.KernelLog;
import io.lapwing.linux.KernelLogState;
import io.lapwing.linux.KernelRecord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** Passes the kernel log on to the deduplicator and reports its state. Thread-safe. */
final class KernelLogListener implements KernelLog.Listener {

  private static final Log LOG = Log.of(KernelLogListener.class);

  private final XidDeduplicator xids;
  private final Runnable wake;
  private final AtomicLong messages = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private volatile OptionalLong readTo = OptionalLong.empty();
  private volatile Optional<KernelLogState> state = Optional.empty();

  KernelLogListener(XidDeduplicator xids, Runnable wake) {
    this.xids = xids;
    this.wake = wake;
  }

  @Override
  public void records(List<KernelRecord> batch) {
    OptionalLong last = batch.get(batch.size() - 1).sequence();
    readTo = last.isPresent() ? last : readTo;
    xids.kernel(batch);
    messages.addAndGet(batch.size());
    wake.run();
  }

  @Override
  public void lost(long gone) {
    lost.addAndGet(gone);
    LOG.warn("messages of the kernel log were lost", "count", gone);
    xids.lost(gone, readTo);
    wake.run();
  }

  @Override
  public void state(KernelLogState now) {
    state = Optional.of(now);
    if (now instanceof KernelLogState.Following following) {
      LOG.info("reading the kernel log", "path", following.path());
    } else if (now instanceof KernelLogState.Fallback fallback) {
      LOG.warn(
          "reading a log file for the kernel log", "path", fallback.path(), "why", fallback.why());
    } else if (now instanceof KernelLogState.Unavailable gone) {
      LOG.warn("the kernel log cannot be read", "why", gone.why(), "remedy", gone.remedy());
    }
    wake.run();
  }

  /** Why the kernel log is unavailable, and the remedy; empty while it is read. */
  Optional<String> unavailableReason() {
    return state
        .filter(KernelLogState.Unavailable.class::isInstance)
        .map(KernelLogState.Unavailable.class::cast)
        .map(gone -> gone.why() + "; " + gone.remedy());
  }

  /** The file read in place of the kernel log, and why; empty while the kernel log is read. */
  Optional<String> fallbackReason() {
    return state
        .filter(KernelLogState.Fallback.class::isInstance)
        .map(KernelLogState.Fallback.class::cast)
        .map(fallback -> fallback.path() + " is read in its place: " + fallback.why());
  }

  KernelLogCounts counts() {
    boolean readable = state.isPresent() && unavailableReason().isEmpty();
    return new KernelLogCounts(readable, messages.get(), lost.get());
  }
}
