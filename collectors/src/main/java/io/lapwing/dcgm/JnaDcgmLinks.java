package io.lapwing.dcgm;

import com.sun.jna.Memory;
import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmStructs.NvLinkNvSwitchLinkStatusV1;
import io.lapwing.dcgm.DcgmStructs.NvLinkNvSwitchLinkStatusV2;
import io.lapwing.dcgm.DcgmStructs.NvLinkStatusV3;
import io.lapwing.dcgm.DcgmStructs.NvLinkStatusV4;
import io.lapwing.dcgm.DcgmStructs.NvLinkStatusV5;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The links of NVSwitches, by {@code dcgmGetNvLinkLinkStatus}. */
final class JnaDcgmLinks {

  /** {@code DCGM_MAX_NUM_SWITCHES}. */
  private static final int MOST_SWITCHES = 12;

  /** {@code dcgmNvLinkLinkState_t}: 0 is not supported, 1 is disabled. */
  private static final int DOWN = 2;

  private static final int UP = 3;

  /** A version of {@code dcgmNvLinkStatus_t}: where it has the switches, and the size of each. */
  private record Layout(
      int version, int size, int count, int switches, int sizeOfSwitch, int firstLink) {

    int links() {
      return (sizeOfSwitch - firstLink) / Integer.BYTES;
    }
  }

  /** Later ones first; an older library or engine refuses them. */
  private static final List<Layout> LAYOUTS =
      List.of(
          new Layout(
              5,
              NvLinkStatusV5.SIZE,
              NvLinkStatusV5.NUM_NV_SWITCHES,
              NvLinkStatusV5.NV_SWITCHES,
              NvLinkNvSwitchLinkStatusV2.SIZE,
              NvLinkNvSwitchLinkStatusV2.LINK_STATE),
          new Layout(
              4,
              NvLinkStatusV4.SIZE,
              NvLinkStatusV4.NUM_NV_SWITCHES,
              NvLinkStatusV4.NV_SWITCHES,
              NvLinkNvSwitchLinkStatusV2.SIZE,
              NvLinkNvSwitchLinkStatusV2.LINK_STATE),
          new Layout(
              3,
              NvLinkStatusV3.SIZE,
              NvLinkStatusV3.NUM_NV_SWITCHES,
              NvLinkStatusV3.NV_SWITCHES,
              NvLinkNvSwitchLinkStatusV1.SIZE,
              NvLinkNvSwitchLinkStatusV1.LINK_STATE));

  private JnaDcgmLinks() {}

  static Reading<List<DcgmEntity>> read(DcgmLibrary library, long handle) {
    DcgmReturn answer = DcgmReturn.VERSION_MISMATCH;
    for (Layout layout : LAYOUTS) {
      Memory status = DcgmStructs.versioned(layout.size(), layout.version());
      answer = DcgmCalls.answer(() -> library.dcgmGetNvLinkLinkStatus(handle, status));
      if (answer == DcgmReturn.OK) {
        return Reading.of(links(status, layout));
      }
      if (answer != DcgmReturn.VERSION_MISMATCH) {
        break;
      }
    }
    return DcgmCalls.refused("dcgmGetNvLinkLinkStatus", answer);
  }

  private static List<DcgmEntity> links(Memory status, Layout layout) {
    List<DcgmEntity> links = new ArrayList<>();
    int count = Math.min(Math.max(status.getInt(layout.count()), 0), MOST_SWITCHES);
    for (int i = 0; i < count; i++) {
      int at = layout.switches() + i * layout.sizeOfSwitch();
      int nvswitch = status.getInt(at);
      IntStream.range(0, layout.links())
          .filter(port -> isThere(status.getInt(at + layout.firstLink() + port * Integer.BYTES)))
          .mapToObj(port -> new DcgmLink(nvswitch, port).entity())
          .forEach(links::add);
    }
    return links;
  }

  private static boolean isThere(int state) {
    return state == DOWN || state == UP;
  }
}
