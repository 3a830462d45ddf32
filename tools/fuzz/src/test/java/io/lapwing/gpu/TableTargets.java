package io.lapwing.gpu;

import io.lapwing.fuzz.Target;
import io.lapwing.table.CsvTable;
import java.util.List;

/** Field files of dcgm-exporter, which an operator writes. */
public final class TableTargets {

  private TableTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofText("field-file", TableTargets::fields)
            .seeds(
                "# comment\nDCGM_FI_DEV_GPU_TEMP, gauge, \"a help, with a comma\"\n",
                "DCGM_FI_DRIVER_VERSION, label, x\nDCGM_FI_DEV_SM_CLOCK, counter,\n"));
  }

  private static void fields(String text) {
    try {
      FieldFile.parse("fields.csv", text.lines().toList());
    } catch (FieldFile.Malformed declared) {
      Target.demand(declared.problems().stream().allMatch(p -> p.contains("fields.csv:")), "place");
    }
    try {
      CsvTable.split(text);
    } catch (IllegalArgumentException declared) {
      // An open quote.
    }
  }
}
