package io.lapwing.bench.acceptance;

import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * One metric and its equivalent in nvidia-smi.
 *
 * @param metric its name
 * @param reference its value in nvidia-smi's output; empty if the GPU or driver has none
 */
record Check(String metric, Function<SmiGpu, OptionalDouble> reference, Closeness closeness) {

  static Check number(String field, String path, Closeness closeness) {
    return new Check("DCGM_FI_DEV_" + field, gpu -> gpu.number(path), closeness);
  }

  static Check firstNumber(String field, Closeness closeness, String... paths) {
    return new Check("DCGM_FI_DEV_" + field, gpu -> gpu.firstNumber(paths), closeness);
  }

  static Check sum(String field, String... paths) {
    return new Check("DCGM_FI_DEV_" + field, gpu -> gpu.sum(paths), Closeness.exact());
  }

  static Check flag(String field, String path, String... meansOne) {
    return new Check("DCGM_FI_DEV_" + field, gpu -> gpu.flag(path, meansOne), Closeness.exact());
  }
}
