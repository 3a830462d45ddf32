package io.lapwing.lustre;

/** How much is told of each target: a hundred of them must not become ten thousand series. */
public enum LustreDetail {
  /** Of each target what alerts need; operations and histograms summed up by file system. */
  SUMMARY,
  /** Everything of each target. */
  FULL
}
