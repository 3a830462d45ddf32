package io.lapwing.xid;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What one message of NVIDIA's drivers in the kernel log states. */
public sealed interface KernelFact {

  /**
   * {@code NVRM: Xid (PCI:0000:53:00 GPU-I:05 GPU-CI:00): 43, pid=7194, name=python3, Ch 00000008
   * caused by previous Xid 31}.
   *
   * @param gpuInstance of MIG, where the line names one
   * @param computeInstance of MIG, where the line names one
   * @param pid empty too where the driver writes {@code '<unknown>'}
   * @param process the name behind {@code name=}, which its user chooses; empty where unknown
   * @param message the rest, with its continuation lines; may be empty
   * @param cause the number behind {@code caused by previous Xid}
   */
  record Xid(
      PciAddress pci,
      OptionalInt gpuInstance,
      OptionalInt computeInstance,
      int number,
      OptionalLong pid,
      Optional<String> process,
      String message,
      OptionalInt cause,
      XidDetail detail)
      implements KernelFact {}

  /** A GPU has fallen off the bus, said without the word Xid. */
  record OffBus(PciAddress pci, String message) implements KernelFact {}

  /**
   * {@code nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20009, Non-fatal, Link 28 RX Short Error
   * Rate}; its follow-up records ({@code Severity ...}, {@code Data {...}}) are no facts of their
   * own.
   *
   * @param device {@code nvidia-nvswitch0}
   * @param fatal empty where the line says neither, such as {@code SOE HALTED}
   */
  record SXid(
      String device,
      PciAddress pci,
      int number,
      Optional<Boolean> fatal,
      OptionalInt link,
      String message)
      implements KernelFact {}

  /** {@code NVRM: GPU at PCI:0000:53:00: GPU-...}: the map that is there even when NVML is dead. */
  record GpuAt(PciAddress pci, String uuid) implements KernelFact {}

  /** {@code NVRM: GPU Board Serial Number: ...}, of the GPU named by the line before it. */
  record BoardSerial(String serial) implements KernelFact {}

  /** {@code NVRM: loading NVIDIA UNIX x86_64 Kernel Module 580.95.05 ...}. */
  record DriverLoaded(String version) implements KernelFact {}
}
