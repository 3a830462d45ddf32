package io.lapwing.xid;

import io.lapwing.xid.KernelFact.BoardSerial;
import io.lapwing.xid.KernelFact.DriverLoaded;
import io.lapwing.xid.KernelFact.GpuAt;
import io.lapwing.xid.KernelFact.SXid;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the messages of NVIDIA's drivers in one kernel log, in order. A message counts only if it
 * starts with a driver's prefix, {@code NVRM: } or {@code nvidia-nvswitch0: SXid}; elsewhere it may
 * be a quotation. No message makes it throw. Not thread-safe.
 */
public final class KernelFacts {

  private static final String DRIVER = "NVRM: ";

  private final Supplier<Optional<String>> driverVersion;
  private final OffBusLines offBus = new OffBusLines();
  private Optional<String> loaded = Optional.empty();

  /** Without a version from NVML, the log's last load message counts. */
  public KernelFacts(Supplier<Optional<String>> driverVersion) {
    this.driverVersion = driverVersion;
    Nvlink5Table.check();
  }

  /** The fact in a kernel message without the log's prefix; empty if none. */
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
              .or(() -> OffBusLines.readLine(message))
              .or(() -> DriverErrorLine.readInit(message))
              .or(() -> DriverErrorLine.readLinks(message));
      case 'R' -> DriverErrorLine.readGsp(message);
      case 'k' -> DriverErrorLine.readLinks(message);
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

  /** The lines with the address and UUID of each GPU and with the driver version. */
  static final class IdentityLine {

    private static final String LOADING = "NVRM: loading NVIDIA UNIX ";
    private static final Pattern UUID = Pattern.compile("GPU-[0-9a-fA-F-]{1,64}");
    private static final Pattern SERIAL = Pattern.compile("[0-9A-Za-z-]{1,64}");
    private static final Pattern VERSION =
        Pattern.compile(" (\\d{3,4}\\.\\d{1,4}(?:\\.\\d{1,4})?)(?!\\S)");

    private IdentityLine() {}

    /** {@code NVRM: GPU at PCI:0000:53:00: GPU-12345678-...}. */
    static Optional<KernelFact> readGpuAt(String text) {
      Cursor cursor = new Cursor(text);
      if (!cursor.skip("NVRM: GPU at ")) {
        return Optional.empty();
      }
      Optional<PciAddress> pci = cursor.upTo(": ").flatMap(PciAddress::parse);
      String uuid = cursor.rest().strip();
      return UUID.matcher(uuid).matches()
          ? pci.map(address -> new GpuAt(address, uuid))
          : Optional.empty();
    }

    /** {@code NVRM: GPU Board Serial Number: 1650124014249}. */
    static Optional<KernelFact> readSerial(String text) {
      Cursor cursor = new Cursor(text);
      if (!cursor.skip("NVRM: GPU Board Serial Number: ")) {
        return Optional.empty();
      }
      String serial = cursor.rest().strip();
      return SERIAL.matcher(serial).matches()
          ? Optional.of(new BoardSerial(serial))
          : Optional.empty();
    }

    /**
     * {@code NVRM: loading NVIDIA UNIX x86_64 Kernel Module 580.95.05 ...}, or {@code ... UNIX Open
     * Kernel Module for x86_64 580.95.05 ...}. Builder and build date follow the version; {@code
     * IN=eth0 OUT= SRC=...} is what a firewall writes after its log prefix.
     */
    static Optional<KernelFact> readLoaded(String text) {
      if (!text.startsWith(LOADING)) {
        return Optional.empty();
      }
      Matcher version = VERSION.matcher(text);
      return version.find() && text.indexOf('=', version.end()) < 0
          ? Optional.of(new DriverLoaded(version.group(1)))
          : Optional.empty();
    }
  }

  /**
   * {@code nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Non-fatal, Link 32 egress non-posted
   * PRIV error (First)}. Follow-up records of the same number are ignored: {@code Severity 1 Engine
   * instance 00 ...}, {@code Data {0x50610002, ...}}, {@code SOE HALT data[0] = ...}.
   */
  static final class SXidLine {

    private static final String START = "nvidia-";
    private static final int MAX_DEVICE_LENGTH = 32;
    private static final int NUMBER_DIGITS = 5;
    private static final int LINK_DIGITS = 3;

    private SXidLine() {}

    static Optional<KernelFact> read(String text) {
      Cursor cursor = new Cursor(text);
      if (!cursor.skip(START)) {
        return Optional.empty();
      }
      Optional<String> device = cursor.upTo(": SXid (").filter(SXidLine::isDevice);
      Optional<PciAddress> pci =
          device.isEmpty() ? Optional.empty() : cursor.upTo("): ").flatMap(PciAddress::parse);
      OptionalLong number = cursor.number(NUMBER_DIGITS);
      return pci.isPresent() && number.orElse(0) > 0 && cursor.skip(", ") && !follows(cursor.rest())
          ? Optional.of(sxid(START + device.get(), pci.get(), (int) number.getAsLong(), cursor))
          : Optional.empty();
    }

    private static boolean follows(String message) {
      return message.startsWith("Severity ")
          || message.startsWith("Data {")
          || message.startsWith("SOE HALT data[");
    }

    private static boolean isDevice(String name) {
      return !name.isEmpty()
          && name.length() <= MAX_DEVICE_LENGTH
          && name.chars().allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || c == '-'));
    }

    private static SXid sxid(String device, PciAddress pci, int number, Cursor cursor) {
      Optional<Boolean> fatal = fatal(cursor);
      OptionalInt link = fatal.isPresent() ? link(cursor) : OptionalInt.empty();
      return new SXid(device, pci, number, fatal, link, cursor.rest().strip());
    }

    private static Optional<Boolean> fatal(Cursor cursor) {
      if (cursor.skip("Fatal, ")) {
        return Optional.of(true);
      }
      return cursor.skip("Non-fatal, ") || cursor.skip("Correctable, ")
          ? Optional.of(false)
          : Optional.empty();
    }

    private static OptionalInt link(Cursor cursor) {
      int start = cursor.mark();
      OptionalLong link = cursor.skip("Link ") ? cursor.number(LINK_DIGITS) : OptionalLong.empty();
      if (link.isPresent() && (cursor.skip(" ") || cursor.atEnd())) {
        return OptionalInt.of((int) link.getAsLong());
      }
      cursor.backTo(start);
      return OptionalInt.empty();
    }
  }
}
