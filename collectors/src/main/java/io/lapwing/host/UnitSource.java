package io.lapwing.host;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * systemd units of this node, as a source: those that have to run, or the installed services of
 * NVIDIA's, which need not.
 *
 * <pre>
 * lapwing_host_unit_running{unit="slurmd.service"} 1         /run/systemd/units/invocation:slurmd.service
 * lapwing_host_unit_restarts_total{unit="slurmd.service"} 0
 * lapwing_gpu_service_running{unit="nvidia-fabricmanager.service"} 1
 * lapwing_gpu_service_restarts_total{unit="nvidia-fabricmanager.service"} 0
 * </pre>
 *
 * systemd keeps this link for the journal while a unit is active or being started, and removes it
 * when the unit becomes inactive or failed (unit_notify and unit_unlink_state_files of
 * src/core/unit.c, since version 236). It names the invocation, another one after each restart. One
 * system call for each unit; no query, which would wake systemd, and no process.
 */
public final class UnitSource extends FixedSource {

  /** The kind of this part of the node, and the name of the source and of its collector. */
  public static final String UNITS = "host_units";

  /** The same for {@link #ofServices}. */
  public static final String NVIDIA_SERVICES = "nvidia_services";

  /** Without this service no GPU joins the fabric of a node with NVSwitches of its own. */
  public static final String FABRIC_MANAGER = "nvidia-fabricmanager.service";

  private static final List<String> SERVICES =
      List.of(
          FABRIC_MANAGER,
          "nvidia-imex.service",
          "nvidia-persistenced.service",
          "nvidia-dcgm.service");

  /** Where systemd looks for the files of units, of those folders that packages and sites use. */
  private static final List<String> UNIT_FILES =
      List.of("etc/systemd/system", "usr/lib/systemd/system", "lib/systemd/system");

  private static final String UNITS_FOLDER = "run/systemd/units";
  private static final String INVOCATION = "invocation:";

  private final Path folder;
  private final List<Unit> units = new ArrayList<>();
  private final Metric running;
  private final Metric restarts;

  private static final class Unit {
    final Path link;
    final Labels labels;
    String invocation = "";
    long restarts;

    Unit(Path link, String name) {
      this.link = link;
      this.labels = Labels.of("unit", name);
    }

    /** A unit that was stopped and started again has restarted too. */
    void seen(String now) {
      if (!invocation.isEmpty() && !invocation.equals(now)) {
        restarts++;
      }
      invocation = now;
    }
  }

  /** Full names: {@code slurmd.service}. */
  public UnitSource(Path rootfs, List<String> names) {
    this(rootfs, UNITS, names, HostMetrics.UNIT_RUNNING, HostMetrics.UNIT_RESTARTS);
  }

  /** The services of {@link #installed}. */
  public static UnitSource ofServices(Path rootfs) {
    return new UnitSource(
        rootfs,
        NVIDIA_SERVICES,
        installed(rootfs),
        HostMetrics.GPU_SERVICE_RUNNING,
        HostMetrics.GPU_SERVICE_RESTARTS);
  }

  private UnitSource(
      Path rootfs, String kind, List<String> names, Metric running, Metric restarts) {
    super(kind, Part.whole(kind));
    add(kind, Cadence.SLOW, this::collect);
    this.running = running;
    this.restarts = restarts;
    this.folder = rootfs.resolve(UNITS_FOLDER);
    names.forEach(name -> units.add(new Unit(folder.resolve(INVOCATION + name), name)));
  }

  /**
   * NVIDIA's services that run, or have the file of a unit; a masked one has none. A container
   * usually does not mount these files: only services that run at the start are found.
   */
  public static List<String> installed(Path rootfs) {
    if (!Files.isDirectory(rootfs.resolve(UNITS_FOLDER))) {
      return List.of();
    }
    return SERVICES.stream()
        .filter(service -> isRunning(rootfs, service).orElse(false) || hasUnitFile(rootfs, service))
        .toList();
  }

  /** The first file counts, as in systemd: a masked unit is a link to /dev/null in /etc. */
  private static boolean hasUnitFile(Path rootfs, String service) {
    return UNIT_FILES.stream()
        .map(files -> rootfs.resolve(files).resolve(service))
        .filter(file -> Files.exists(file, LinkOption.NOFOLLOW_LINKS))
        .findFirst()
        .filter(file -> Files.isRegularFile(file))
        .isPresent();
  }

  /** Whether a unit is active or being started; empty on a machine without systemd's folder. */
  public static Optional<Boolean> isRunning(Path rootfs, String unit) {
    Path folder = rootfs.resolve(UNITS_FOLDER);
    return Files.isDirectory(folder)
        ? Optional.of(Files.isSymbolicLink(folder.resolve(INVOCATION + unit)))
        : Optional.empty();
  }

  @Override
  public Access begin(List<Collector> due) {
    return Files.isDirectory(folder)
        ? Access.READY
        : new Access.Down("not_found", folder + " does not exist; systemd keeps it");
  }

  private void collect(SampleSink sink) {
    for (Unit unit : units) {
      try {
        unit.seen(Files.readSymbolicLink(unit.link).toString());
        put(unit, 1, sink);
      } catch (NoSuchFileException inactive) {
        put(unit, 0, sink);
      } catch (NotLinkException unexpected) {
        sink.failed(unit.link.toString(), "malformed");
      } catch (IOException failed) {
        sink.failed(unit.link.toString(), "io");
      }
    }
  }

  private void put(Unit unit, int state, SampleSink sink) {
    sink.add(running, unit.labels, state);
    sink.add(restarts, unit.labels, (double) unit.restarts);
  }
}
