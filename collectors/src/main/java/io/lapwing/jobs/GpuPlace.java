package io.lapwing.jobs;

/**
 * What somebody can have: a GPU or one MIG slice of it.
 *
 * @param uuid of the GPU as a whole
 * @param instance the id of the MIG GPU instance in decimal; empty for the whole GPU
 */
record GpuPlace(String uuid, String instance) {

  static GpuPlace whole(String uuid) {
    return new GpuPlace(uuid, "");
  }

  /** Whether somebody who has that place may be the one who has this one. */
  boolean mayBe(GpuPlace other) {
    return uuid.equals(other.uuid)
        && (instance.equals(other.instance) || instance.isEmpty() || other.instance.isEmpty());
  }

  /** The narrower one of two that may be the same. */
  GpuPlace narrowed(GpuPlace other) {
    return instance.isEmpty() ? other : this;
  }
}
