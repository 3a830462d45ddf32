package io.lapwing.dcgm;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmStructs.ConnectV2ParamsV2;
import io.lapwing.dcgm.DcgmStructs.ConnectV3ParamsV1;
import io.lapwing.dcgm.DcgmStructs.StartEmbeddedV2ParamsV1;
import io.lapwing.dcgm.DcgmStructs.StartEmbeddedV2ParamsV2;
import io.lapwing.dcgm.DcgmStructs.StartEmbeddedV2ParamsV3;
import io.lapwing.dcgm.DcgmStructs.VersionInfoV2;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

public final class JnaDcgm implements Dcgm {

  /** As the packages of DCGM 4 and 3 install it. */
  public static final List<String> DEFAULT_LIBRARIES = List.of("libdcgm.so.4", "libdcgm.so.3");

  /**
   * Below the deadline of a poll, so that an address that drops packets does not count as a hang.
   */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  private static final String NOT_DCGM = "not_dcgm";
  private static final String NO_VSOCK = "no_vsock";
  private static final int AUTOMATIC = 1;
  private static final int HANDLE = StartEmbeddedV2ParamsV3.DCGM_HANDLE;

  private final DcgmLibrary library;
  private final Optional<DcgmVersion> version;
  private final DcgmPolicyCallbacks callbacks = new DcgmPolicyCallbacks();

  /** The embedded engine, of which a process has one at most, has these users. */
  private int users;

  private long embedded;

  JnaDcgm(DcgmLibrary library) {
    this.library = library;
    this.version = version(library::dcgmVersionInfo);
  }

  /**
   * Loads and initialises the first of these libraries that is there; no engine is contacted yet.
   * Fails with {@code library_not_found}, or {@code not_dcgm} where a file has no DCGM in it.
   */
  public static Reading<Dcgm> load(List<String> namesOrPaths) {
    Reading<Dcgm> answer = new Reading.Failed<>(String.join(", ", namesOrPaths), NOT_FOUND);
    for (String nameOrPath : namesOrPaths) {
      try {
        return init(nameOrPath, Native.load(nameOrPath, DcgmLibrary.class, Map.of()));
      } catch (UnsatisfiedLinkError notThere) {
        if (nameOrPath.indexOf('/') >= 0 && Files.exists(Path.of(nameOrPath))) {
          answer = new Reading.Failed<>(nameOrPath, NOT_DCGM);
        }
      }
    }
    return answer;
  }

  private static Reading<Dcgm> init(String nameOrPath, DcgmLibrary library) {
    DcgmReturn answer = DcgmCalls.answer(library::dcgmInit);
    if (answer == DcgmReturn.FUNCTION_NOT_FOUND) {
      return new Reading.Failed<>(nameOrPath, NOT_DCGM);
    }
    return answer == DcgmReturn.OK
        ? Reading.of(new JnaDcgm(library))
        : DcgmCalls.refused("dcgmInit", answer);
  }

  @Override
  public String version() {
    return version.map(DcgmVersion::toString).orElse("");
  }

  @Override
  public Reading<DcgmEngine> connect(DcgmAddress address) {
    return (address.kind() == DcgmAddress.Kind.VSOCK ? connectVsock(address) : connectV2(address))
        .flatMap(this::connected);
  }

  private Reading<Long> connectV2(DcgmAddress address) {
    Memory params = DcgmStructs.versioned(ConnectV2ParamsV2.SIZE, 2);
    params.setInt(ConnectV2ParamsV2.TIMEOUT_MS, (int) CONNECT_TIMEOUT.toMillis());
    params.setInt(
        ConnectV2ParamsV2.ADDRESS_IS_UNIX_SOCKET, address.kind() == DcgmAddress.Kind.UNIX ? 1 : 0);
    Memory handle = new Memory(Long.BYTES);
    return DcgmCalls.call(
        "dcgmConnect_v2",
        () -> library.dcgmConnect_v2(address.text(), params, handle),
        () -> handle.getLong(0));
  }

  /** The older call, which every library has, takes no vsock. */
  private Reading<Long> connectVsock(DcgmAddress address) {
    Memory params = DcgmStructs.versioned(ConnectV3ParamsV1.SIZE, 1);
    params.setInt(ConnectV3ParamsV1.TIMEOUT_MS, (int) CONNECT_TIMEOUT.toMillis());
    Memory handle = new Memory(Long.BYTES);
    Reading<Long> opened =
        DcgmCalls.call(
            "dcgmConnect_v3",
            () -> library.dcgmConnect_v3(address.toString(), params, handle),
            () -> handle.getLong(0));
    return opened instanceof Reading.Missing
        ? new Reading.Failed<>("libdcgm " + version() + " without vsock", NO_VSOCK)
        : opened;
  }

  private Reading<DcgmEngine> connected(long handle) {
    Optional<DcgmVersion> other = version(info -> library.dcgmHostengineVersionInfo(handle, info));
    DcgmEngine engine =
        new JnaDcgmEngine(
            library, handle, text(other), callbacks, () -> library.dcgmDisconnect(handle));
    if (version.isPresent() && other.isPresent() && !version.get().fits(other.get())) {
      engine.close();
      return new Reading.Failed<>(
          "libdcgm " + version.get() + ", host engine " + other.get(),
          DcgmReturn.VERSION_MISMATCH.reason());
    }
    return Reading.of(engine);
  }

  @Override
  public synchronized Reading<DcgmEngine> startEmbedded() {
    DcgmReturn answer = users == 0 ? start() : DcgmReturn.OK;
    if (answer != DcgmReturn.OK) {
      return DcgmCalls.refused("dcgmStartEmbedded_v2", answer);
    }
    users++;
    return Reading.of(new JnaDcgmEngine(library, embedded, text(version), callbacks, this::leave));
  }

  /** Later versions of the parameters first; an older library refuses them. */
  private DcgmReturn start() {
    int[] sizes = {
      StartEmbeddedV2ParamsV3.SIZE, StartEmbeddedV2ParamsV2.SIZE, StartEmbeddedV2ParamsV1.SIZE
    };
    DcgmReturn answer = DcgmReturn.VERSION_MISMATCH;
    for (int i = 0; i < sizes.length && answer == DcgmReturn.VERSION_MISMATCH; i++) {
      Memory params = DcgmStructs.versioned(sizes[i], sizes.length - i);
      params.setInt(StartEmbeddedV2ParamsV3.OP_MODE, AUTOMATIC);
      answer = DcgmCalls.answer(() -> library.dcgmStartEmbedded_v2(params));
      embedded = params.getLong(HANDLE);
    }
    return answer;
  }

  private synchronized int leave() {
    users--;
    return users == 0 ? library.dcgmStopEmbedded(embedded) : DcgmReturn.OK.code();
  }

  private static Optional<DcgmVersion> version(ToIntFunction<Pointer> function) {
    Memory info = DcgmStructs.versioned(VersionInfoV2.SIZE, 2);
    return DcgmCalls.call(
            "version",
            () -> function.applyAsInt(info),
            () ->
                DcgmStructs.text(
                    info,
                    VersionInfoV2.RAW_BUILD_INFO_STRING,
                    VersionInfoV2.SIZE - VersionInfoV2.RAW_BUILD_INFO_STRING))
        .toOptional()
        .flatMap(DcgmVersion::of);
  }

  private static String text(Optional<DcgmVersion> known) {
    return known.map(DcgmVersion::toString).orElse("");
  }
}
