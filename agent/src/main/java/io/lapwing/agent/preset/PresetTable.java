package io.lapwing.agent.preset;

import io.lapwing.table.CsvTable;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The smallest preset of each family, from {@code presets.csv}; a family without a row is in {@code
 * full} only. {@code tools/bench/fleet --keep-lists} writes the file.
 */
record PresetTable(Map<String, Preset> presets) {

  static final PresetTable SHIPPED = read();

  private static final List<String> PARTS = List.of("_bucket", "_count", "_sum");

  PresetTable {
    presets = Map.copyOf(presets);
  }

  private static PresetTable read() {
    return new PresetTable(
        CsvTable.read(PresetTable.class, "presets.csv").stream()
            .collect(Collectors.toMap(row -> row.text("family"), PresetTable::preset)));
  }

  private static Preset preset(CsvTable.Row row) {
    return Preset.named(row.text("preset"))
        .orElseThrow(() -> new IllegalStateException(row.place() + ": unknown preset"));
  }

  Preset smallest(String sampleName) {
    Preset own = presets.get(sampleName);
    return own == null ? presets.getOrDefault(withoutPart(sampleName), Preset.FULL) : own;
  }

  private static String withoutPart(String sampleName) {
    for (String part : PARTS) {
      if (sampleName.endsWith(part)) {
        return sampleName.substring(0, sampleName.length() - part.length());
      }
    }
    return sampleName;
  }
}
