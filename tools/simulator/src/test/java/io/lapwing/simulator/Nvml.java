package io.lapwing.simulator;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A library as a C program sees it: symbols, pointers and return codes, nothing wrapped. */
final class Nvml implements AutoCloseable {
  private static final int FIELD_VALUE_BYTES = 40;
  private static final int GPM_METRIC_BYTES = 40;

  private final NativeLibrary library;

  Nvml(Path library) {
    this.library = NativeLibrary.getInstance(library.toString());
  }

  /** The library of a node, after nvmlInit. */
  static Nvml of(SimulatedNode node) {
    Nvml nvml = new Nvml(node.library());
    nvml.call("nvmlInit_v2");
    return nvml;
  }

  @Override
  public void close() {
    library.close();
  }

  boolean has(String symbol) {
    try {
      library.getFunction(symbol);
      return true;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }

  int call(String symbol, Object... arguments) {
    Function function = library.getFunction(symbol);
    return function.invokeInt(arguments);
  }

  int deviceCount() {
    IntByReference count = new IntByReference();
    call("nvmlDeviceGetCount_v2", count);
    return count.getValue();
  }

  Pointer device(int index) {
    PointerByReference device = new PointerByReference();
    call("nvmlDeviceGetHandleByIndex_v2", index, device);
    return device.getValue();
  }

  int temperature(Pointer device) {
    return number("nvmlDeviceGetTemperature", device, 0);
  }

  int temperatureCode(Pointer device) {
    return call("nvmlDeviceGetTemperature", device, 0, new IntByReference());
  }

  /** The unsigned int that a call writes behind its last argument. */
  int number(String symbol, Object... arguments) {
    IntByReference value = new IntByReference();
    call(symbol, with(arguments, value));
    return value.getValue();
  }

  long wideNumber(String symbol, Object... arguments) {
    LongByReference value = new LongByReference();
    call(symbol, with(arguments, value));
    return value.getValue();
  }

  String text(String symbol, Pointer device) {
    Memory buffer = new Memory(96);
    call(symbol, device, buffer, 96);
    return buffer.getString(0, StandardCharsets.UTF_8.name());
  }

  private static Object[] with(Object[] arguments, Object last) {
    Object[] all = java.util.Arrays.copyOf(arguments, arguments.length + 1);
    all[arguments.length] = last;
    return all;
  }

  /** One value of nvmlDeviceGetFieldValues. */
  record FieldValue(int code, int type, long bits) {}

  static final int ALL_LINKS = -1;

  FieldValue field(Pointer device, int id) {
    return field(device, id, 0);
  }

  FieldValue field(Pointer device, int id, int scope) {
    Memory value = new Memory(FIELD_VALUE_BYTES);
    value.clear();
    value.setInt(0, id);
    value.setInt(4, scope);
    call("nvmlDeviceGetFieldValues", device, 1, value);
    return new FieldValue(value.getInt(28), value.getInt(24), value.getLong(32));
  }

  Pointer emptySample() {
    PointerByReference sample = new PointerByReference();
    call("nvmlGpmSampleAlloc", sample);
    return sample.getValue();
  }

  Pointer gpmSample(Pointer device) {
    Pointer sample = emptySample();
    call("nvmlGpmSampleGet", device, sample);
    return sample;
  }

  /** One value of nvmlGpmMetricsGet. */
  record Metric(int code, double value) {}

  Metric metric(Pointer before, Pointer after, int id) {
    Memory get = new Memory(24 + GPM_METRIC_BYTES);
    get.clear();
    get.setInt(0, 1);
    get.setInt(4, 1);
    get.setPointer(8, before);
    get.setPointer(16, after);
    get.setInt(24, id);
    call("nvmlGpmMetricsGet", get);
    return new Metric(get.getInt(28), get.getDouble(32));
  }
}
