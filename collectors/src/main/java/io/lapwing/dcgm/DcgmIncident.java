package io.lapwing.dcgm;

/**
 * {@code dcgmIncidentInfo_t}: an incident that a health watch found.
 *
 * @param code the number of a {@code DCGM_FR_*}
 */
public record DcgmIncident(DcgmEntity entity, DcgmHealthSystem system, Result result, int code) {

  /** {@code dcgmHealthWatchResults_t}, in the order of severity. */
  public enum Result {
    PASS(0),
    WARN(10),
    FAIL(20);

    private final int value;

    Result(int value) {
      this.value = value;
    }

    /** As DCGM and dcgm-exporter number it. */
    public int value() {
      return value;
    }

    /** A number without a constant here is as severe as the next higher one. */
    static Result of(int value) {
      return value <= PASS.value ? PASS : value <= WARN.value ? WARN : FAIL;
    }
  }
}
