package io.lapwing.xid;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What an XID is blamed on, in the three forms of the driver: {@code PCI:0000:53:00}, {@code
 * PCI:0000:53:00 GPU-I:05}, {@code PCI:0000:53:00 GPU-I:05 GPU-CI:00}. Older drivers write no
 * {@code PCI:}, or a function behind the device.
 */
record Attribution(PciAddress pci, OptionalInt gpuInstance, OptionalInt computeInstance) {

  private static final int INSTANCE_DIGITS = 5;

  static Optional<Attribution> parse(String text) {
    Cursor cursor = new Cursor(text);
    return PciAddress.parse(cursor.word()).flatMap(pci -> instances(pci, cursor));
  }

  private static Optional<Attribution> instances(PciAddress pci, Cursor cursor) {
    OptionalInt gpuInstance = instance(cursor, " GPU-I:");
    OptionalInt computeInstance =
        gpuInstance.isPresent() ? instance(cursor, " GPU-CI:") : OptionalInt.empty();
    return cursor.atEnd()
        ? Optional.of(new Attribution(pci, gpuInstance, computeInstance))
        : Optional.empty();
  }

  private static OptionalInt instance(Cursor cursor, String label) {
    int start = cursor.mark();
    OptionalLong id = cursor.skip(label) ? cursor.number(INSTANCE_DIGITS) : OptionalLong.empty();
    if (id.isEmpty()) {
      cursor.backTo(start);
      return OptionalInt.empty();
    }
    return OptionalInt.of((int) id.getAsLong());
  }
}
