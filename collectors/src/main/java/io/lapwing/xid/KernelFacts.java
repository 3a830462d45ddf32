package io.lapwing.xid;

import io.lapwing.xid.KernelFact.DriverLoaded;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Parses the messages of NVIDIA's drivers in one kernel log, in order.
 *
 * <p>A message counts only if it starts with the prefix of a driver, {@code NVRM: } or {@code
 * nvidia-nvswitch0: SXid}; elsewhere the words may be a quotation. No message makes it throw. Not
 * thread-safe.
 */
public final class KernelFacts {

  private static final String DRIVER = "NVRM: ";

  private final Supplier<Optional<String>> driverVersion;
  private final OffBusLines offBus = new OffBusLines();
  private Optional<String> loaded = Optional.empty();

  /**
   * @param driverVersion from NVML, such as {@code 580.95.05}; if empty, the version in the last
   *     load message of the log counts
   */
  public KernelFacts(Supplier<Optional<String>> driverVersion) {
    this.driverVersion = driverVersion;
    Nvlink5Table.check();
  }

  /**
   * The fact in a message; empty if none.
   *
   * @param message of the kernel itself, without the log's prefix, with its lines joined by {@code
   *     \n}
   */
  public Optional<KernelFact> read(String message) {
    Optional<KernelFact> sentence = offBus.read(message);
    if (!message.startsWith(DRIVER)) {
      return SXidLine.read(message);
    }
    return sentence.isPresent() ? sentence : ofDriver(message);
  }

  private Optional<KernelFact> ofDriver(String message) {
    return switch (message.length() > DRIVER.length() ? message.charAt(DRIVER.length()) : ' ') {
      case 'X' -> XidLine.read(message, this::layout);
      case 'G' ->
          IdentityLine.readGpuAt(message)
              .or(() -> IdentityLine.readSerial(message))
              .or(() -> OffBusLines.readLine(message));
      case 'l' -> loaded(message);
      default -> Optional.empty();
    };
  }

  private Optional<KernelFact> loaded(String message) {
    Optional<KernelFact> fact = IdentityLine.readLoaded(message);
    fact.ifPresent(driver -> loaded = Optional.of(((DriverLoaded) driver).version()));
    return fact;
  }

  private Optional<Nvlink5Table.Layout> layout() {
    return driverVersion.get().or(() -> loaded).flatMap(Nvlink5Table.Layout::of);
  }
}
