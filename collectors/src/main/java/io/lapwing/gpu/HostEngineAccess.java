package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Reading;
import io.lapwing.dcgm.Dcgm;
import io.lapwing.dcgm.DcgmAddress;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmMode;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds and opens the host engine for a mode. The library is loaded only when there is an engine to
 * connect to, and stays loaded. Serves one thread.
 */
public final class HostEngineAccess {

  private static final String NO_ENGINE = "no_host_engine";
  private static final String NOT_TRUSTED = "not_trusted";
  private static final String ELSEWHERE = "engine_elsewhere";
  private static final String EMBEDDED = "embedded";

  private final DcgmMode mode;
  private final HostEngines engines;
  private final Supplier<Reading<Dcgm>> library;
  private Optional<Dcgm> loaded = Optional.empty();

  /** {@code library} is called until it succeeds. */
  public HostEngineAccess(DcgmMode mode, HostEngines engines, Supplier<Reading<Dcgm>> library) {
    this.mode = mode;
    this.engines = engines;
    this.library = library;
  }

  /** Whether a missing engine or library is an error. */
  boolean expected() {
    return !(mode instanceof DcgmMode.Auto);
  }

  public sealed interface Result {}

  /** {@code where}: its address, or {@code embedded}. */
  public record Opened(DcgmEngine engine, String libraryVersion, String where) implements Result {

    boolean embedded() {
      return where.equals(EMBEDDED);
    }
  }

  /** {@code access}: what it means for the source. */
  public record Refused(String reason, Access access) implements Result {}

  /** {@code seen}: whether one was open before, so that its absence is no longer normal. */
  public Result open(boolean seen) {
    boolean optional = !expected() && !seen;
    if (mode instanceof DcgmMode.At at) {
      return connect(at.address(), optional);
    }
    Optional<DcgmAddress> running = engines.listening();
    if (running.isPresent()) {
      return connect(running.get(), optional);
    }
    return mode instanceof DcgmMode.Embedded
        ? embedded()
        : refused(NO_ENGINE, "no DCGM host engine listens on this node", optional);
  }

  /** Whether an embedded engine has to end, because another was started after it. */
  boolean isSecond(Opened opened) {
    return opened.embedded() && engines.isTrustedThere();
  }

  private Result connect(DcgmAddress address, boolean optional) {
    Optional<String> objection = engines.objection(address);
    if (objection.isPresent()) {
      return refused(NOT_TRUSTED, "not used for DCGM: " + objection.get(), optional);
    }
    Reading<Dcgm> dcgm = library();
    return dcgm instanceof Reading.Present<Dcgm> present
        ? opened(present.value(), present.value().connect(address), address.toString(), optional)
        : noLibrary(dcgm, optional);
  }

  /** Never beside another engine. */
  private Result embedded() {
    Optional<String> other = engines.process();
    if (other.isPresent()) {
      return refused(
          ELSEWHERE,
          "no second DCGM host engine is started: there is " + other.get() + ", see dcgm.engine",
          false);
    }
    Reading<Dcgm> dcgm = library();
    return dcgm instanceof Reading.Present<Dcgm> present
        ? opened(present.value(), present.value().startEmbedded(), EMBEDDED, false)
        : noLibrary(dcgm, false);
  }

  private static Result opened(
      Dcgm dcgm, Reading<DcgmEngine> engine, String where, boolean optional) {
    if (engine instanceof Reading.Present<DcgmEngine> present) {
      return new Opened(present.value(), dcgm.version(), where);
    }
    String reason = engine.failure().orElse("not_supported");
    String what = engine instanceof Reading.Failed<DcgmEngine> failed ? failed.question() : "DCGM";
    return refused(reason, what + " (" + where + "): " + reason, optional);
  }

  private Reading<Dcgm> library() {
    if (loaded.isEmpty()) {
      Reading<Dcgm> found = library.get();
      loaded = found.toOptional();
      return found;
    }
    return Reading.of(loaded.get());
  }

  private static Result noLibrary(Reading<Dcgm> dcgm, boolean optional) {
    String reason = dcgm.failure().orElse(Dcgm.NOT_FOUND);
    String name = dcgm instanceof Reading.Failed<Dcgm> failed ? failed.question() : "libdcgm";
    return refused(
        reason,
        reason.equals(Dcgm.NOT_FOUND)
            ? "no DCGM library: " + name
            : name + " is not used: " + reason,
        optional);
  }

  private static Refused refused(String reason, String why, boolean optional) {
    return new Refused(
        reason, optional ? new Access.NothingHere(why) : new Access.Down(reason, why));
  }
}
