package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.Nvml;
import io.lapwing.nvml.Nvml.DriverVersions;
import io.lapwing.nvml.NvmlReturn;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The NVML session of this process: initialised once, and again only after the driver was unloaded
 * or replaced. One thread calls {@link #attach}; all else is thread-safe.
 */
public final class NvmlDriver {

  private static final DriverVersions UNKNOWN = new DriverVersions("", "", "");

  /** Failure reasons after the driver of a handle was unloaded. */
  private static final Set<String> DRIVER_GONE =
      Set.of(
          NvmlReturn.UNINITIALIZED.reason(),
          NvmlReturn.DRIVER_NOT_LOADED.reason(),
          NvmlReturn.LIB_RM_VERSION_MISMATCH.reason());

  private final Supplier<Reading<Nvml>> library;
  private volatile State state = new State(Optional.empty(), 0, UNKNOWN, 0);
  private volatile boolean suspected;

  /** Shut down by a release, and not initialised since. */
  private boolean released;

  private final GpuRelease release = new GpuRelease();
  private long reloads;

  /** The library once loaded; it stays loaded, even if the driver is unloaded. */
  private Optional<Nvml> loaded = Optional.empty();

  private record State(Optional<Nvml> nvml, long generation, DriverVersions versions, int count) {}

  /** A driver that is not initialised yet; {@code library} is called until it succeeds. */
  public NvmlDriver(Supplier<Reading<Nvml>> library) {
    this.library = library;
  }

  public GpuRelease release() {
    return release;
  }

  /** The initialised library; empty while not initialised. */
  public Optional<Nvml> nvml() {
    return state.nvml();
  }

  /** Increases with each initialisation; handles of another generation are invalid. */
  public long generation() {
    return state.generation();
  }

  public DriverVersions versions() {
    return state.versions();
  }

  public int gpuCount() {
    return state.count();
  }

  /** Whether the GPUs are released and nothing of this process has NVML open. */
  public boolean closedForRelease() {
    return release.why().isPresent() && release.users() == 0 && state.nvml().isEmpty();
  }

  public long reloads() {
    return reloads;
  }

  public boolean simulated() {
    return state.nvml().map(Nvml::simulated).orElse(false);
  }

  /** Reports a failure; some reasons trigger a check of the driver. */
  public void suspect(String reason) {
    if (DRIVER_GONE.contains(reason)) {
      suspected = true;
    }
  }

  /** Initialises the driver if necessary and possible; shuts it down while it is released. */
  Access attach() {
    State now = state;
    Optional<String> released = release.why();
    if (released.isPresent()) {
      return shutDown(now, released.get());
    }
    if (now.nvml().isPresent() && !suspected && answers(now.nvml().get())) {
      return Access.READY;
    }
    detach(now);
    return load();
  }

  private Access shutDown(State now, String why) {
    int users = release.users();
    if (users > 0) {
      return new Access.Down(GpuRelease.REASON, release.closing(users).orElse(why));
    }
    if (now.nvml().isPresent()) {
      detach(now);
      released = true;
    }
    return new Access.Down(GpuRelease.REASON, why);
  }

  private boolean answers(Nvml nvml) {
    Reading<DriverVersions> versions = nvml.versions();
    versions.failure().ifPresent(this::suspect);
    return !suspected && versions.toOptional().stream().noneMatch(this::isAnother);
  }

  /** Compares the driver version only: the other two may be temporarily unreadable. */
  private boolean isAnother(DriverVersions found) {
    return !found.driver().equals(state.versions().driver());
  }

  private void detach(State old) {
    state = new State(Optional.empty(), old.generation(), old.versions(), old.count());
    old.nvml().ifPresent(Nvml::shutdown);
  }

  private Access load() {
    if (loaded.isEmpty()) {
      Reading<Nvml> found = library.get();
      if (found instanceof Reading.Failed<Nvml> failed) {
        return failed.reason().equals(NO_LIBRARY)
            ? new Access.NothingHere("no NVIDIA driver library: " + failed.question())
            : new Access.Down(failed.reason(), failed.question() + " is not an NVML library");
      }
      loaded = found.toOptional();
    }
    return loaded
        .map(this::initialise)
        .orElseGet(() -> new Access.NothingHere("no NVIDIA driver library"));
  }

  private static final String NO_LIBRARY = "library_not_found";

  private Access initialise(Nvml nvml) {
    Optional<String> failure = nvml.init().failure();
    if (failure.isPresent()) {
      return new Access.Down(failure.get(), "nvmlInit_v2 answers " + failure.get());
    }
    Reading<DriverVersions> versions = nvml.versions();
    Reading<Integer> count = nvml.gpuCount();
    Optional<String> unanswered = versions.failure().or(count::failure);
    if (unanswered.isPresent()) {
      nvml.shutdown();
      return new Access.Down(unanswered.get(), "the driver answers " + unanswered.get());
    }
    long generation = state.generation() + 1;
    countReload(versions.toOptional().orElse(UNKNOWN));
    suspected = false;
    state =
        new State(
            Optional.of(nvml),
            generation,
            versions.toOptional().orElse(UNKNOWN),
            count.toOptional().orElse(0));
    return Access.READY;
  }

  /**
   * A release is no reload, unless the driver is another one: a reload ends findings that wait for
   * a reset.
   */
  private void countReload(DriverVersions found) {
    boolean first = state.generation() == 0;
    if (!first && (!released || isAnother(found))) {
      reloads++;
    }
    released = false;
  }
}
