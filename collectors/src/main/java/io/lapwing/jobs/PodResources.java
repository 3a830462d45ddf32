package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import java.util.List;

/**
 * Asks the kubelet which container has which device ({@code v1.PodResourcesLister/List}). For one
 * thread at a time.
 */
public interface PodResources {

  /** The longest list that is taken: 16 GPUs with 7 slices of 32 shares each. */
  int MOST_DEVICES = 4096;

  /**
   * The devices of NVIDIA that containers have; those of others are left out. Returns within a few
   * seconds whatever the kubelet does.
   *
   * @return missing where there is no kubelet; else failed with one of {@code no_permission},
   *     {@code refused}, {@code timed_out}, {@code closed}, {@code malformed}, {@code too_large},
   *     {@code too_many}, {@code io}, or the status of gRPC in small letters, such as {@code
   *     unimplemented}
   */
  Reading<List<PodDevice>> list();

  /** Where no kubelet is ever asked. */
  static PodResources none() {
    return () -> new Reading.Missing<>("pod resources");
  }
}
