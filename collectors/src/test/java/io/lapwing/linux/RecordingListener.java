package io.lapwing.linux;

import java.util.ArrayList;
import java.util.List;

/** A listener that records all calls. */
final class RecordingListener implements KernelLog.Listener {

  private final List<KernelRecord> records = new ArrayList<>();
  private final List<Integer> batches = new ArrayList<>();
  private final List<KernelLogState> states = new ArrayList<>();
  private long lost;

  @Override
  public synchronized void records(List<KernelRecord> batch) {
    batches.add(batch.size());
    records.addAll(batch);
  }

  @Override
  public synchronized void lost(long messages) {
    lost += messages;
  }

  @Override
  public synchronized void state(KernelLogState state) {
    states.add(state);
  }

  synchronized List<KernelRecord> records() {
    return List.copyOf(records);
  }

  synchronized List<String> texts() {
    return records.stream().map(KernelRecord::text).toList();
  }

  synchronized List<Integer> batches() {
    return List.copyOf(batches);
  }

  synchronized List<KernelLogState> states() {
    return List.copyOf(states);
  }

  synchronized long lost() {
    return lost;
  }
}
