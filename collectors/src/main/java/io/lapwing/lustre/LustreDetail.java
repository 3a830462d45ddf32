package io.lapwing.lustre;

/** How much is exported per target: a hundred targets must not become ten thousand series. */
public enum LustreDetail {
  /** Per target what alerts need; operations and histograms summed per file system. */
  SUMMARY,
  /** Everything per target. */
  FULL
}
