package io.lapwing.jobs;

/**
 * A GPU or one MIG slice of it.
 *
 * @param uuid of the whole GPU
 * @param instance the id of the MIG GPU instance in decimal; empty for the whole GPU
 */
record GpuPlace(String uuid, String instance) {

  static GpuPlace whole(String uuid) {
    return new GpuPlace(uuid, "");
  }

  /** Whether both may denote the same GPU or slice. */
  boolean mayEqual(GpuPlace other) {
    return uuid.equals(other.uuid)
        && (instance.equals(other.instance) || instance.isEmpty() || other.instance.isEmpty());
  }

  /** The more specific of two places that may be the same. */
  GpuPlace moreSpecific(GpuPlace other) {
    return instance.isEmpty() ? other : this;
  }
}
