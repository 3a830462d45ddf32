package io.lapwing.agent.support;

/**
 * One file of a bundle.
 *
 * @param name in the archive: {@code health.json}
 * @param what a few words on what is inside and where it comes from
 */
record BundlePart(String name, String what, Source source) {

  /** Reads the part, in bounded time; throws the reason if this node or the agent lacks it. */
  interface Source {
    String read() throws MissingPart, InterruptedException;
  }

  /** Why a bundle lacks a part. */
  static final class MissingPart extends Exception {

    private static final long serialVersionUID = 1L;

    MissingPart(String why) {
      super(why);
    }
  }
}
