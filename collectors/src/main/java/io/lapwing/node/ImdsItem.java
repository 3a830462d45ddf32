package io.lapwing.node;

import java.util.regex.Pattern;

/** What the instance metadata service tells of an instance and never tells otherwise. */
enum ImdsItem {
  INSTANCE_ID("instance-id"),
  INSTANCE_TYPE("instance-type"),
  REGION("placement/region"),
  AVAILABILITY_ZONE("placement/availability-zone"),
  AVAILABILITY_ZONE_ID("placement/availability-zone-id"),
  LIFECYCLE("instance-life-cycle");

  /** All of them are a name of one word; anything else comes from something that is not EC2. */
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
