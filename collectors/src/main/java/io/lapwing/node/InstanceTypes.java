package io.lapwing.node;

import io.lapwing.table.CsvTable;
import io.lapwing.table.CsvTable.Row;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The EC2 instance types with NVIDIA GPUs in {@code instances.csv}. */
public final class InstanceTypes {

  private static final String TABLE = "instances.csv";

  /** SageMaker HyperPod's prefix of instance types. */
  private static final String HYPERPOD = "ml.";

  private final Map<String, InstanceType> byName;

  private InstanceTypes(Map<String, InstanceType> byName) {
    this.byName = Collections.unmodifiableMap(byName);
  }

  public static InstanceTypes load() {
    return of(CsvTable.read(InstanceTypes.class, TABLE));
  }

  static InstanceTypes of(List<Row> rows) {
    Map<String, InstanceType> types = new LinkedHashMap<>();
    for (Row row : rows) {
      InstanceType type = type(row);
      if (types.put(type.name(), type) != null) {
        throw new IllegalStateException(row.place() + ": " + type.name() + " is a duplicate");
      }
    }
    return new InstanceTypes(types);
  }

  private static InstanceType type(Row row) {
    try {
      return new InstanceType(
          row.text("name"),
          row.number("gpus"),
          row.text("gpu_model"),
          row.number("gpu_memory_mib"),
          row.number("efa_devices"),
          row.optionalNumber("efa_gbps"),
          row.number("nvlinks_per_gpu"),
          row.optionalNumber("bf16_tflops"),
          row.optionalNumber("fp8_tflops"),
          row.text("source"),
          InstanceType.Certainty.valueOf(row.text("certainty").toUpperCase(Locale.ROOT)));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalStateException(row.place() + ": " + wrong.getMessage(), wrong);
    }
  }

  public Collection<InstanceType> all() {
    return byName.values();
  }

  /** By {@code p5.48xlarge} or {@code ml.p5.48xlarge}; empty for a type without a row. */
  public Optional<InstanceType> find(String name) {
    return Optional.ofNullable(byName.get(plain(name)));
  }

  /** The EC2 name, without HyperPod's prefix. */
  static String plain(String name) {
    return name.startsWith(HYPERPOD) ? name.substring(HYPERPOD.length()) : name;
  }
}
