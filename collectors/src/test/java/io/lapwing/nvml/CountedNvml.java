package io.lapwing.nvml;

import io.lapwing.simulator.SimulatedNode;
import io.lapwing.simulator.Variant;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/** The binding of a simulated node's library, with each call of a C function counted. */
public final class CountedNvml {

  private final ScriptedLibrary counted;

  public CountedNvml(SimulatedNode node) {
    counted = ScriptedLibrary.over(StillNode.library(node, Variant.NEW));
  }

  /** Not yet initialised. */
  public Nvml nvml() {
    return new JnaNvml(counted.library(), System::nanoTime);
  }

  /** The C functions that can be called at all. */
  public static String[] known() {
    return Arrays.stream(NvmlLibrary.class.getDeclaredMethods())
        .map(Method::getName)
        .toArray(String[]::new);
  }

  /** The C functions that were called, in order. */
  public List<String> calls() {
    return counted.calls();
  }

  public long count(String function) {
    return counted.count(function);
  }
}
