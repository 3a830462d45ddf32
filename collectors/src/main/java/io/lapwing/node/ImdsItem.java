package io.lapwing.node;

import java.util.regex.Pattern;

/** Properties of the instance in the instance metadata that never change. */
enum ImdsItem {
  INSTANCE_ID("instance-id"),
  INSTANCE_TYPE("instance-type"),
  REGION("placement/region"),
  AVAILABILITY_ZONE("placement/availability-zone"),
  AVAILABILITY_ZONE_ID("placement/availability-zone-id"),
  LIFECYCLE("instance-life-cycle");

  /** All values are one word; anything else does not come from EC2. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private final String path;

  ImdsItem(String path) {
    this.path = path;
  }

  /** Below {@code latest/meta-data/}. */
  String path() {
    return path;
  }

  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }
}
