package io.lapwing.gpu;

/**
 * A field that DCGM has.
 *
 * @param id DCGM's number
 * @param name the classic name, under which it is exposed
 * @param newName the name of the header since DCGM 4.6, accepted in a field file
 * @param answer how Lapwing answers it
 * @param whyNot why it does not, where {@code answer} is {@code NONE}
 */
public record DcgmField(int id, String name, String newName, Answer answer, String whyNot) {

  /** How Lapwing answers a field of DCGM. */
  public enum Answer {
    /** As a family of that name. */
    METRIC,
    /** As a label on the families of the GPU. */
    LABEL,
    /** Not at all. */
    NONE
  }
}
