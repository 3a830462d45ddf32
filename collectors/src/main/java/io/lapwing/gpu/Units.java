package io.lapwing.gpu;

/** Conversions from NVML's units to DCGM's. */
final class Units {

  private static final double MEBIBYTE = 1024 * 1024;
  private static final double KIBIBYTE = 1024;

  private Units() {}

  static double milliToWhole(double milli) {
    return milli / 1000;
  }

  /** DCGM reports memory in MiB, rounded down. */
  static double bytesToMebibytes(long bytes) {
    return Math.floor(bytes / MEBIBYTE);
  }

  static double kibibytesToBytes(double kibibytes) {
    return kibibytes * KIBIBYTE;
  }

  static double bytesToMegabytes(double bytes) {
    return bytes / 1e6;
  }

  static double megabytesToBytes(double megabytes) {
    return megabytes * 1e6;
  }
}
