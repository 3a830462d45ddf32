package io.lapwing.agent.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of the address space, as {@code /proc/self/smaps} tells of it.
 *
 * @param start its first address
 * @param bytes its length
 * @param permissions such as {@code r-xp}
 * @param file what is mapped; empty for memory without a file
 * @param residentKib what of it is in memory and in the page table
 * @param ownKib what of it is no longer the file's: written to, and so this process's own
 */
record Mapping(
    long start, long bytes, String permissions, String file, long residentKib, long ownKib) {

  private static final Pattern HEAD =
      Pattern.compile("([0-9a-f]+)-([0-9a-f]+) (\\S{4}) \\S+ \\S+ \\S+ *(.*)");
  private static final int HEX = 16;

  /** All mappings in the lines of an smaps file. Lines of no known form are passed over. */
  static List<Mapping> parse(List<String> lines) {
    List<Mapping> mappings = new ArrayList<>();
    for (String line : lines) {
      Matcher head = HEAD.matcher(line);
      if (head.matches()) {
        long start = Long.parseUnsignedLong(head.group(1), HEX);
        long end = Long.parseUnsignedLong(head.group(2), HEX);
        mappings.add(new Mapping(start, end - start, head.group(3), head.group(4), 0, 0));
      } else if (!mappings.isEmpty()) {
        int last = mappings.size() - 1;
        mappings.set(last, mappings.get(last).with(line));
      }
    }
    return List.copyOf(mappings);
  }

  private Mapping with(String line) {
    String[] words = line.split(":? +", 3);
    return switch (words[0]) {
      case "Rss" -> new Mapping(start, bytes, permissions, file, kib(words), ownKib);
      case "Anonymous", "Private_Dirty", "Shared_Dirty", "Swap", "Locked" ->
          new Mapping(start, bytes, permissions, file, residentKib, ownKib + kib(words));
      default -> this;
    };
  }

  private static long kib(String[] words) {
    return Long.parseLong(words[1]);
  }

  /** Whether every page of it can be had from its file again, as it is now. */
  boolean isOnlyTheFile() {
    return file.startsWith("/") && permissions.charAt(1) == '-' && ownKib == 0;
  }
}
