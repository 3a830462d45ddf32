package io.lapwing.jobs;

import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SmallFile;
import io.lapwing.linux.UserFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of NCCL's log, {@code NCCL_DEBUG_FILE}, in order of preference:
 *
 * <pre>
 * Channel 00/0 : 7[7] -> 8[0] [send] via NET/Socket/0            src/transport/net.cc, from 2.4 on
 * Using network AWS Libfabric                                    src/init.cc
 * NET/OFI Selected provider is efa, fabric is efa (found 32 nics)   aws-ofi-nccl
 * </pre>
 *
 * The user names the file: it is opened only on file systems that the user cannot make hang, not by
 * way of links, and only if it belongs to the user of the process; only these words are exposed.
 *
 * @param network that NCCL uses between nodes: {@code Socket}, {@code IB}, {@code AWS Libfabric}
 * @param provider of libfabric: {@code efa}, {@code tcp;ofi_rxm}
 */
record NcclDebugFile(Optional<String> network, Optional<String> provider) {

  static final String VARIABLE = "NCCL_DEBUG_FILE";

  /** NCCL's lines of the start are first; with more subsystems the file grows. */
  private static final int HEAD = 256 * 1024;

  private static final int TAIL = 64 * 1024;
  private static final int MAX_PATH = 1024;
  private static final int MAX_MOUNTS = 512 * 1024;

  private static final Set<String> FILE_SYSTEMS =
      Set.of("ext4", "xfs", "btrfs", "tmpfs", "overlay", "lustre", "nfs", "nfs4");

  private static final String NAME = "([A-Za-z][A-Za-z0-9_ -]{0,31})";
  private static final Pattern CHANNEL = Pattern.compile("via NET/" + NAME + "/\\d");
  private static final Pattern NETWORK = Pattern.compile("NCCL INFO Using network " + NAME);
  private static final Pattern PROVIDER =
      Pattern.compile("NET/OFI Selected [Pp]rovider is ([a-z0-9_;-]{1,32})");

  static final NcclDebugFile NONE = new NcclDebugFile(Optional.empty(), Optional.empty());

  /** Empty if there is no such file, or if it may not be read. */
  static NcclDebugFile of(ProcFs proc, long pid, Map<String, String> environment) {
    String name = environment.getOrDefault(VARIABLE, "");
    if (name.isEmpty() || name.length() > MAX_PATH) {
      return NONE;
    }
    try {
      Path path = Path.of(expanded(name, proc.innerPid(pid), environment)).normalize();
      Path inRoot = path.isAbsolute() ? path.getRoot().relativize(path) : path;
      return path.isAbsolute() && !inRoot.startsWith("..") && isSafe(proc, pid, path)
          ? read(proc.process(pid).resolve("root"), inRoot, proc.uid(pid).toOptional())
          : NONE;
    } catch (InvalidPathException | IOException notReadable) {
      return NONE;
    }
  }

  /** As NCCL expands it; the host's name is that of the container, up to the first dot. */
  private static String expanded(String name, long pid, Map<String, String> environment) {
    String host = environment.getOrDefault("HOSTNAME", "").split("\\.", 2)[0];
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < name.length(); at++) {
      char next = at + 1 < name.length() ? name.charAt(at + 1) : 0;
      if (name.charAt(at) == '%' && (next == 'h' || next == 'p' || next == '%')) {
        text.append(next == 'h' ? host : next == 'p' ? Long.toString(pid) : "%");
        at++;
      } else {
        text.append(name.charAt(at));
      }
    }
    return text.toString();
  }

  /** Whether the file is on a file system of the list: any user may mount others, such as FUSE. */
  private static boolean isSafe(ProcFs proc, long pid, Path path) {
    String best = "";
    String type = "";
    for (String line : mounts(proc, pid)) {
      int dash = line.indexOf(" - ");
      String[] fields = dash < 0 ? new String[0] : line.substring(0, dash).split(" ", -1);
      if (fields.length > 5 && path.startsWith(fields[4]) && fields[4].length() >= best.length()) {
        best = fields[4];
        type = line.substring(dash + 3).split(" ", 2)[0];
      }
    }
    return FILE_SYSTEMS.contains(type);
  }

  private static List<String> mounts(ProcFs proc, long pid) {
    return SmallFile.whole(proc.process(pid).resolve("mountinfo"), MAX_MOUNTS)
        .toOptional()
        .map(text -> text.lines().toList())
        .orElse(List.of());
  }

  private static NcclDebugFile read(Path root, Path path, Optional<Long> user) throws IOException {
    try (UserFile file = UserFile.open(root, path)) {
      return user.filter(uid -> uid == file.attributes().user()).isPresent()
          ? parse(text(file.channel(), 0, HEAD) + "\n" + tail(file.channel()))
          : NONE;
    }
  }

  private static String tail(FileChannel file) throws IOException {
    return file.size() > HEAD ? text(file, Math.max(HEAD, file.size() - TAIL), TAIL) : "";
  }

  private static String text(FileChannel file, long from, int max) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(max, Math.max(0, file.size() - from)));
    int got = 0;
    while (got >= 0 && bytes.hasRemaining()) {
      got = file.read(bytes, from + bytes.position());
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
  }

  static NcclDebugFile parse(String text) {
    return new NcclDebugFile(
        last(CHANNEL, text).or(() -> last(NETWORK, text)), last(PROVIDER, text));
  }

  private static Optional<String> last(Pattern pattern, String text) {
    Optional<String> found = Optional.empty();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found = Optional.of(matcher.group(1).strip());
    }
    return found;
  }
}
