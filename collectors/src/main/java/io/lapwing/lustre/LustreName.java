package io.lapwing.lustre;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a folder of one mounted file system or one of its targets. It ends with the address
 * of the superblock, which distinguishes mounts and is not a label.
 *
 * @param folder below a root: {@code osc/scratch-OST0000-osc-ffff9d0c12345000}
 * @param fs {@code scratch}
 * @param target {@code OST0000}, {@code MDT0000}; empty for the file system itself
 * @param instance {@code ffff9d0c12345000}
 */
record LustreName(String folder, String fs, String target, String instance) {

  static final String MOUNTS = "llite";
  static final String OSC = "osc";
  static final String MDC = "mdc";

  private static final Pattern MOUNT = Pattern.compile("([^\\s/]{1,64})-([0-9a-f]{8,16})");
  private static final Pattern TARGET =
      Pattern.compile("([^\\s/]{1,64})-((?:OST|MDT)[0-9a-f]{4})-(osc|mdc)-([0-9a-f]{8,16})");

  /** Parses a folder below {@code llite}. */
  static Optional<LustreName> mount(String name) {
    Matcher form = MOUNT.matcher(name);
    return form.matches()
        ? Optional.of(new LustreName(MOUNTS + "/" + name, form.group(1), "", form.group(2)))
        : Optional.empty();
  }

  /** Parses a folder below {@code osc} or {@code mdc}; empty for a server's own connections. */
  static Optional<LustreName> target(String name) {
    Matcher form = TARGET.matcher(name);
    return form.matches()
        ? Optional.of(
            new LustreName(form.group(3) + "/" + name, form.group(1), form.group(2), form.group(4)))
        : Optional.empty();
  }

  /** The parameter of a file in it, for {@link LustreFiles}. */
  String file(String name) {
    return folder + "/" + name;
  }

  String name() {
    return folder.substring(folder.indexOf('/') + 1);
  }

  boolean metadata() {
    return target.startsWith("MDT");
  }
}
