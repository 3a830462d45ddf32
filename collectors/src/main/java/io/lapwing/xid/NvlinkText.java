package io.lapwing.xid;

import io.lapwing.xid.XidDetail.NvlinkRegisters;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * 74: {@code NVLink: fatal error detected on link 14(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)}, the
 * registers from the first to the seventh.
 */
final class NvlinkText {

  private static final String REGISTER = ", ?0x([0-9a-fA-F]{1,8})";
  private static final Pattern LINK =
      Pattern.compile("link (\\d{1,3}) ?\\(0x([0-9a-fA-F]{1,8})" + REGISTER.repeat(6) + "\\)");

  private NvlinkText() {}

  static XidDetail read(String message) {
    Matcher link = LINK.matcher(message);
    if (!link.find()) {
      return XidDetail.NONE;
    }
    List<Long> registers = new ArrayList<>();
    for (int group = 2; group <= link.groupCount(); group++) {
      registers.add(Long.parseLong(link.group(group), 16));
    }
    return new NvlinkRegisters(
        Integer.parseInt(link.group(1)), registers, HopperRegisters.judge(registers));
  }
}
