package io.lapwing.agent.metrics;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * {@code jvm_...}: the subset of Micrometer's JVM meters that matters for the agent, under the same
 * names, without the listeners and threads of Micrometer's binders.
 */
final class JvmMetrics implements MeterBinder {

  @Override
  public void bindTo(MeterRegistry registry) {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory(registry, "heap", memory::getHeapMemoryUsage);
    memory(registry, "nonheap", memory::getNonHeapMemoryUsage);
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      FunctionTimer.builder(
              "jvm.gc.pause",
              collector,
              GarbageCollectorMXBean::getCollectionCount,
              GarbageCollectorMXBean::getCollectionTime,
              TimeUnit.MILLISECONDS)
          .tag("gc", collector.getName())
          .description("Pauses for garbage collection.")
          .register(registry);
    }
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Gauge.builder("jvm.threads.live", threads::getThreadCount)
        .baseUnit("threads")
        .description("Java threads.")
        .register(registry);
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    Gauge.builder("jvm.classes.loaded", classes::getLoadedClassCount)
        .baseUnit("classes")
        .description("Classes loaded now.")
        .register(registry);
  }

  private static void memory(MeterRegistry registry, String area, Supplier<MemoryUsage> usage) {
    Gauge.builder("jvm.memory.used", () -> usage.get().getUsed())
        .tag("area", area)
        .baseUnit("bytes")
        .description("Memory the JVM uses.")
        .register(registry);
    // -1 means no limit.
    if (usage.get().getMax() >= 0) {
      Gauge.builder("jvm.memory.max", () -> usage.get().getMax())
          .tag("area", area)
          .baseUnit("bytes")
          .description("Memory the JVM may use.")
          .register(registry);
    }
  }
}
