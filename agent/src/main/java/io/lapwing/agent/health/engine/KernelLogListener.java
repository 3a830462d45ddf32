package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.KernelLogCounts;
import io.lapwing.agent.log.Log;
import io.lapwing.linux.KernelLog;
import io.lapwing.linux.KernelLogState;
import io.lapwing.linux.KernelRecord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** Hears the kernel log and passes it on, and knows how well it hears. Thread-safe. */
public final class KernelLogListener implements KernelLog.Listener {

  private static final Log LOG = Log.of(KernelLogListener.class);

  private final XidDeduplicator intake;
  private final Runnable wake;
  private final AtomicLong messages = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private volatile OptionalLong readTo = OptionalLong.empty();
  private volatile Optional<KernelLogState> state = Optional.empty();

  KernelLogListener(XidDeduplicator intake, Runnable wake) {
    this.intake = intake;
    this.wake = wake;
  }

  @Override
  public void records(List<KernelRecord> batch) {
    OptionalLong last = batch.get(batch.size() - 1).sequence();
    readTo = last.isPresent() ? last : readTo;
    intake.kernel(batch);
    messages.addAndGet(batch.size());
    wake.run();
  }

  @Override
  public void lost(long gone) {
    lost.addAndGet(gone);
    LOG.warn("messages of the kernel log were lost", "count", gone);
    intake.lost(gone, readTo);
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

  /** Why nothing is heard, and what helps; empty while something is. */
  Optional<String> deafness() {
    return state
        .filter(KernelLogState.Unavailable.class::isInstance)
        .map(KernelLogState.Unavailable.class::cast)
        .map(gone -> gone.why() + "; " + gone.remedy());
  }

  /** What replaces the kernel log, and why; empty while it is read itself. */
  Optional<String> replaced() {
    return state
        .filter(KernelLogState.Fallback.class::isInstance)
        .map(KernelLogState.Fallback.class::cast)
        .map(fallback -> fallback.path() + " is read in its place: " + fallback.why());
  }

  public KernelLogCounts counts() {
    boolean readable = state.isPresent() && deafness().isEmpty();
    return new KernelLogCounts(readable, messages.get(), lost.get());
  }
}
