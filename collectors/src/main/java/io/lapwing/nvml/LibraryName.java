package io.lapwing.nvml;

import com.sun.jna.Library;
import com.sun.jna.Native;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;

/**
 * Finds a library by its name as the dynamic linker does. For a missing library JNA lists every
 * library folder of the system, which allocates 1.6 MB on each try.
 */
final class LibraryName {

  private static final int RTLD_LAZY = 1;

  private LibraryName() {}

  /** {@code dlfcn.h}. */
  interface Loader extends Library {
    Loader LIBC = Native.load("c", Loader.class);

    long dlopen(String name, int flags);
  }

  /**
   * The name if the linker finds it, or if it is a path or JNA's short form; else its path in the
   * first of these folders of the system that has it, as after an installation without {@code
   * ldconfig}; empty if it is nowhere.
   */
  static Optional<String> find(String name, Collection<String> folders) {
    if (name.indexOf(File.separatorChar) >= 0 || !name.contains(".so") || opens(name)) {
      return Optional.of(name);
    }
    return folders.stream()
        .map(folder -> Path.of("/", folder, name))
        .filter(Files::exists)
        .findFirst()
        .map(Path::toString);
  }

  /** It stays loaded, as it does after JNA has loaded it. True where libc has no such function. */
  private static boolean opens(String name) {
    try {
      return Loader.LIBC.dlopen(name, RTLD_LAZY) != 0;
    } catch (UnsatisfiedLinkError beforeGlibc234) {
      return true;
    }
  }
}
