package io.lapwing.dcgm;

import io.lapwing.collect.Reading;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One watch in parts, since a group has room for so many entities only. */
record JnaDcgmWatches(List<DcgmWatch> parts) implements DcgmWatch {

  JnaDcgmWatches {
    parts = List.copyOf(parts);
  }

  @Override
  public Map<DcgmFieldId, String> rejected() {
    Map<DcgmFieldId, String> rejected = new EnumMap<>(DcgmFieldId.class);
    parts.forEach(part -> rejected.putAll(part.rejected()));
    return rejected;
  }

  @Override
  public Reading<DcgmValues> latest() {
    Map<DcgmValues.Key, Reading<DcgmValues.Sample>> samples = new HashMap<>();
    for (DcgmWatch part : parts) {
      Reading<DcgmValues> latest = part.latest();
      if (!(latest instanceof Reading.Present<DcgmValues> present)) {
        return latest;
      }
      samples.putAll(present.value().samples());
    }
    return Reading.of(new DcgmValues(samples));
  }

  @Override
  public void close() {
    parts.forEach(DcgmWatch::close);
  }
}
