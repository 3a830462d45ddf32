package io.lapwing.dcgm;

import io.lapwing.collect.Reading;
import java.util.Map;

/** Fields that the host engine samples periodically. */
public interface DcgmWatch extends AutoCloseable {

  /** The fields that are not sampled, and why: {@code unknown_field}. */
  Map<DcgmFieldId, String> rejected();

  /** {@code dcgmEntitiesGetLatestValues}: from the engine's cache, without a call of the driver. */
  Reading<DcgmValues> latest();

  /** {@code dcgmUnwatchFields}. */
  @Override
  void close();
}
