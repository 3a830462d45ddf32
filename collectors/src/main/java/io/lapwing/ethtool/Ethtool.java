package io.lapwing.ethtool;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The statistics that the driver of a network device counts, as {@code ethtool -S} prints them, by
 * ioctl(2). Needs no privilege; sees the devices of the process's network namespace. Layouts:
 * Linux, include/uapi/linux/ethtool.h. Used by one thread.
 */
public final class Ethtool {

  /** Statistics by name; a driver that has none is {@link Reading.Unsupported}. */
  public interface Statistics {
    Reading<Map<String, Long>> of(String device);
  }

  private static final NativeLong SIOCETHTOOL = new NativeLong(0x8946);
  private static final int GSSET_INFO = 0x37;
  private static final int GSTRINGS = 0x1b;
  private static final int GSTATS = 0x1d;
  private static final int SET_OF_STATISTICS = 1;
  private static final int NAME_BYTES = 32;

  /** {@code IFNAMSIZ}, with the final zero. */
  private static final int MAX_NAME = 16;

  private static final int IFREQ_BYTES = 40;
  private static final int ENODEV = 19;
  private static final int EOPNOTSUPP = 95;
  private static final int AF_INET = 2;
  private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;

  /** The kernel writes as many as the driver has by then, whatever size the caller gives. */
  private static final int MAX_STATISTICS = 2_048;

  private static final int SPARE = 2;

  /** Created at the first use: most nodes that are no EC2 instances never need them. */
  private Optional<Buffers> buffers = Optional.empty();

  private record Buffers(Libc libc, Memory strings, Memory values) {
    Buffers() {
      this(
          Native.load("c", Libc.class),
          new Memory(12 + (long) SPARE * MAX_STATISTICS * NAME_BYTES),
          new Memory(8 + (long) SPARE * MAX_STATISTICS * Long.BYTES));
    }
  }

  /** The C functions, with the types of the headers. */
  interface Libc extends Library {
    int socket(int domain, int type, int protocol) throws LastErrorException;

    int ioctl(int file, NativeLong request, Pointer argument) throws LastErrorException;

    int close(int file);
  }

  /** Failures have the reasons {@code no_such_device}, {@code too_many} or {@code io}. */
  public Reading<Map<String, Long>> statistics(String device) {
    if (device.isEmpty() || device.getBytes(StandardCharsets.UTF_8).length >= MAX_NAME) {
      return new Reading.Failed<>(question(device), "no_such_device");
    }
    Buffers own = buffers.orElseGet(Buffers::new);
    buffers = Optional.of(own);
    int socket = -1;
    try {
      socket = own.libc().socket(AF_INET, SOCK_DGRAM_CLOEXEC, 0);
      return read(new Request(own, socket, device));
    } catch (LastErrorException failed) {
      return switch (failed.getErrorCode()) {
        case EOPNOTSUPP -> new Reading.Unsupported<>(question(device));
        case ENODEV -> new Reading.Failed<>(question(device), "no_such_device");
        default -> new Reading.Failed<>(question(device), "io");
      };
    } finally {
      if (socket >= 0) {
        own.libc().close(socket);
      }
    }
  }

  private static String question(String device) {
    return "ioctl SIOCETHTOOL " + device;
  }

  private static Reading<Map<String, Long>> read(Request request) {
    int count = request.count();
    if (count == 0) {
      return new Reading.Unsupported<>(question(request.device()));
    }
    if (count > MAX_STATISTICS) {
      return new Reading.Failed<>(question(request.device()), "too_many");
    }
    Memory strings = request.buffers().strings();
    strings.clear();
    strings.setInt(0, GSTRINGS);
    strings.setInt(4, SET_OF_STATISTICS);
    strings.setInt(8, count);
    request.send(strings);
    Memory values = request.buffers().values();
    values.setInt(0, GSTATS);
    values.setInt(4, count);
    request.send(values);
    Map<String, Long> found = new LinkedHashMap<>();
    // Where a queue was added meanwhile, the shorter list counts.
    for (int i = 0; i < Math.min(strings.getInt(8), values.getInt(4)); i++) {
      byte[] name = strings.getByteArray(12 + (long) i * NAME_BYTES, NAME_BYTES);
      found.put(text(name), values.getLong(8 + (long) i * Long.BYTES));
    }
    return Reading.of(found);
  }

  /** Requests for one device. */
  private record Request(Buffers buffers, int socket, String device) {

    /** {@code struct ethtool_sset_info}: the kernel clears the bit of a set that it has not. */
    int count() {
      try (Memory info = new Memory(24)) {
        info.clear();
        info.setInt(0, GSSET_INFO);
        info.setLong(8, 1L << SET_OF_STATISTICS);
        send(info);
        return info.getLong(8) == 0 ? 0 : info.getInt(16);
      }
    }

    /** {@code struct ifreq}: the name of the device, and the address of the structure. */
    void send(Memory structure) {
      try (Memory ifreq = new Memory(IFREQ_BYTES)) {
        ifreq.clear();
        byte[] name = device.getBytes(StandardCharsets.UTF_8);
        ifreq.write(0, name, 0, name.length);
        ifreq.setPointer(MAX_NAME, structure);
        buffers.libc().ioctl(socket, SIOCETHTOOL, ifreq);
      }
    }
  }

  private static String text(byte[] name) {
    int end = 0;
    while (end < name.length && name[end] != 0) {
      end++;
    }
    return new String(name, 0, end, StandardCharsets.UTF_8).strip();
  }
}
