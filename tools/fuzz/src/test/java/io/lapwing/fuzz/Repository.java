package io.lapwing.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The repository's files, found from whichever of its folders the tests run in. */
final class Repository {

  static final Path ROOT = root();

  /** Inputs that once broke a target, one folder each. */
  static final Path FINDINGS = ROOT.resolve("tools/fuzz/src/test/resources/findings");

  private static final int MOST_BYTES = 64 << 10;

  private Repository() {}

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("lapwing"))) {
      folder = Objects.requireNonNull(folder.getParent(), "not run in the repository");
    }
    return folder;
  }

  /** The initial inputs of a target. */
  static List<byte[]> inputs(Target target) {
    List<byte[]> inputs = new ArrayList<>();
    inputs.add(new byte[0]);
    target.seeds().forEach(seed -> inputs.add(seed.getBytes(UTF_8)));
    target.recordings().forEach(glob -> inputs.addAll(recordings(glob)));
    inputs.addAll(files(FINDINGS.resolve(target.name()), path -> true));
    return inputs;
  }

  private static List<byte[]> recordings(String glob) {
    int wild = glob.indexOf('*');
    Path folder = ROOT.resolve(glob.substring(0, glob.lastIndexOf('/', wild)));
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + ROOT + "/" + glob);
    List<byte[]> found = files(folder, matcher);
    Target.demand(!found.isEmpty(), "no file " + glob);
    return found;
  }

  private static List<byte[]> files(Path folder, PathMatcher wanted) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      List<byte[]> inputs = new ArrayList<>();
      for (Path path :
          paths.filter(Files::isRegularFile).filter(wanted::matches).sorted().toList()) {
        if (Files.size(path) <= MOST_BYTES) {
          inputs.add(Files.readAllBytes(path));
        }
      }
      return inputs;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
