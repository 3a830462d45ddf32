package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The network that NCCL uses between nodes in one process, as far as its files show.
 *
 * @param missing the library without which NCCL cannot use EFA; empty if all are loaded
 * @param provider of libfabric, where NCCL's log or {@code FI_PROVIDER} names it
 * @param settings variables of NCCL and libfabric that the process was started with
 */
record ProcessNetwork(Network network, String missing, String provider, String settings) {

  enum Network {
    /**
     * Over TCP: by NCCL's log, or because a library that EFA needs is not loaded or EFA is
     * excluded.
     */
    TCP,
    /** All libraries for EFA are loaded, without evidence that EFA is not used. */
    EFA,
    /** The process has not loaded NCCL. */
    NONE,
    UNKNOWN;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String PLUGIN = "libnccl-net";
  private static final String FABRIC = "libfabric.so";
  private static final String VERBS = "libefa.so";

  /** PyTorch's wheels before 2.1 and conda packages have NCCL within this library. */
  private static final List<String> NCCL = List.of("libnccl.so", "libtorch_cuda");

  private static final String EFA_PROVIDER = "efa";
  private static final String NET = "NCCL_NET";
  private static final String PROVIDERS = "FI_PROVIDER";
  private static final String NET_PLUGIN = "NCCL_NET_PLUGIN";

  /** Shown in this order. */
  private static final List<String> SHOWN =
      List.of(
          NET,
          NET_PLUGIN,
          PROVIDERS,
          "FI_EFA_USE_DEVICE_RDMA",
          "NCCL_IB_DISABLE",
          "NCCL_SOCKET_IFNAME",
          "NCCL_DEBUG");

  /** No value with other characters is shown: the user may have written anything. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._,;:=^-]{1,48}");

  /** The variables that it reads. */
  static Set<String> variables() {
    Set<String> names = new TreeSet<>(SHOWN);
    names.addAll(Set.of(NcclDebugFile.VARIABLE, "HOSTNAME"));
    return names;
  }

  static boolean isLibrary(String file) {
    return file.startsWith(PLUGIN)
        || file.startsWith(FABRIC)
        || file.startsWith(VERBS)
        || NCCL.stream().anyMatch(file::startsWith);
  }

  /** NCCL's own log is preferred to the libraries. */
  static ProcessNetwork of(
      Reading<Set<String>> mapped, Map<String, String> environment, NcclDebugFile log) {
    String missing = mapped.toOptional().map(ProcessNetwork::missing).orElse("");
    String asked = environment.getOrDefault(PROVIDERS, "");
    String provider = log.provider().orElse(PLAIN.matcher(asked).matches() ? asked : "");
    Network network =
        log.network()
            .map(name -> logged(name, provider))
            .orElseGet(
                () ->
                    mapped
                        .toOptional()
                        .map(files -> loaded(files, missing, environment, provider))
                        .orElse(Network.UNKNOWN));
    return new ProcessNetwork(network, missing, provider, settings(environment));
  }

  private static Network logged(String name, String provider) {
    String small = name.toLowerCase(Locale.ROOT);
    if (small.equals("socket")) {
      return Network.TCP;
    }
    boolean ofPlugin = small.contains("libfabric") || small.equals("ofi");
    return ofPlugin ? usesEfa(provider) ? Network.EFA : Network.TCP : Network.UNKNOWN;
  }

  private static Network loaded(
      Set<String> files, String missing, Map<String, String> environment, String provider) {
    if (files.stream().noneMatch(file -> NCCL.stream().anyMatch(file::startsWith))) {
      return Network.NONE;
    }
    boolean excluded =
        environment.getOrDefault(NET, "").equalsIgnoreCase("Socket") || !usesEfa(provider);
    return !missing.isEmpty() || excluded ? Network.TCP : Network.EFA;
  }

  /** Whether a list of providers has EFA's; {@code ^} excludes those that follow. */
  private static boolean usesEfa(String provider) {
    return provider.isEmpty()
        || provider.startsWith("^") != provider.toLowerCase(Locale.ROOT).contains(EFA_PROVIDER);
  }

  private static String missing(Set<String> files) {
    return List.of(PLUGIN, FABRIC, VERBS).stream()
        .filter(library -> files.stream().noneMatch(file -> file.startsWith(library)))
        .findFirst()
        .orElse("");
  }

  private static String settings(Map<String, String> environment) {
    StringBuilder text = new StringBuilder();
    for (String name : SHOWN) {
      Optional.ofNullable(environment.get(name))
          .map(value -> name.equals(NET_PLUGIN) ? value.replaceAll("^.*/", "") : value)
          .map(value -> PLAIN.matcher(value).matches() ? value : "?")
          .ifPresent(value -> text.append(' ').append(name).append('=').append(value));
    }
    return text.toString().strip();
  }
}
