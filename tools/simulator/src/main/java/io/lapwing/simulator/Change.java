package io.lapwing.simulator;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** One change of a node in a scenario. */
public sealed interface Change {

  void on(SimulatedNode node);

  /** The GPUs that the change refers to. */
  IntStream gpus();

  /**
   * Changes of state lines.
   *
   * @param set in this order
   * @param clear removed first
   */
  record Lines(Map<String, String> set, List<String> clear) implements Change {
    private static final Pattern GPU = Pattern.compile("gpu\\.(\\d+)\\..*");

    public Lines {
      set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
      clear = List.copyOf(clear);
    }

    @Override
    public void on(SimulatedNode node) {
      node.change(set, clear);
    }

    @Override
    public IntStream gpus() {
      IntStream ranks =
          set.keySet().stream().map(TrainingSettings::rank).flatMapToInt(OptionalInt::stream);
      IntStream named =
          set.keySet().stream()
              .map(GPU::matcher)
              .filter(Matcher::matches)
              .mapToInt(key -> Integer.parseInt(key.group(1)));
      return IntStream.concat(ranks, named);
    }
  }

  /**
   * The driver reports an XID, in the kernel log and as an event of NVML.
   *
   * @param instance the MIG GPU instance, if any
   * @param message a message that replaces the usual one of the number
   */
  record Xid(int gpu, OptionalInt instance, int number, Optional<String> message)
      implements Change {

    /** One of the whole GPU. */
    Xid(int gpu, int number, Optional<String> message) {
      this(gpu, OptionalInt.empty(), number, message);
    }

    @Override
    public void on(SimulatedNode node) {
      node.xid(gpu, instance, number, message);
    }

    @Override
    public IntStream gpus() {
      return IntStream.of(gpu);
    }
  }

  /**
   * The kernel logs messages with one write.
   *
   * @param lines with placeholders such as {@code {pci:3}}
   */
  record Messages(List<KernelLine> lines) implements Change {
    public Messages {
      lines = List.copyOf(lines);
    }

    @Override
    public void on(SimulatedNode node) {
      node.kernel(lines);
    }

    @Override
    public IntStream gpus() {
      return lines.stream().flatMapToInt(line -> Placeholders.gpus(line.text()));
    }
  }

  /** A GPU is reset. */
  record Reset(int gpu) implements Change {
    @Override
    public void on(SimulatedNode node) {
      node.reset(gpu);
    }

    @Override
    public IntStream gpus() {
      return IntStream.of(gpu);
    }
  }

  /** The machine is booted. */
  record Reboot() implements Change {
    @Override
    public void on(SimulatedNode node) {
      node.reboot();
    }

    @Override
    public IntStream gpus() {
      return IntStream.empty();
    }
  }

  /** Another machine replaces this one. */
  record Replace() implements Change {
    @Override
    public void on(SimulatedNode node) {
      node.replace();
    }

    @Override
    public IntStream gpus() {
      return IntStream.empty();
    }
  }

  /** A process on the GPUs exits. */
  record Exit(long pid) implements Change {
    @Override
    public void on(SimulatedNode node) {
      node.exit(pid);
    }

    @Override
    public IntStream gpus() {
      return IntStream.empty();
    }
  }
}
