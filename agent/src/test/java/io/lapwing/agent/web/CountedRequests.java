package io.lapwing.agent.web;

import io.lapwing.common.web.RequestMeter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Records the calls. */
class CountedRequests implements RequestMeter {
  final AtomicInteger started = new AtomicInteger();
  final AtomicInteger rejected = new AtomicInteger();
  final List<String> answered = new CopyOnWriteArrayList<>();

  @Override
  public void started() {
    started.incrementAndGet();
  }

  @Override
  public void answered(String handler, int status) {
    answered.add(handler + " " + status);
  }

  @Override
  public void rejected() {
    rejected.incrementAndGet();
  }
}
