package io.lapwing.dcgm;

import com.sun.jna.Memory;
import java.nio.charset.StandardCharsets;

/**
 * Sizes and offsets in bytes of the structs of {@code dcgm_structs.h}; the same on x86-64 and
 * aarch64. A test compares them with a C compiler's.
 */
final class DcgmStructs {

  private DcgmStructs() {}

  /** Zeroed, with its size and version in the first word. */
  static Memory versioned(int size, int version) {
    Memory struct = new Memory(size);
    struct.clear();
    struct.setInt(0, versionWord(size, version));
    return struct;
  }

  static int versionWord(int size, int version) {
    return size | version << 24;
  }

  /** A NUL-terminated string, truncated at the end of its field. */
  static String text(Memory struct, int offset, int most) {
    byte[] bytes = struct.getByteArray(offset, most);
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8).strip();
  }

  static final class GroupEntityPair {
    static final int SIZE = 8;
    static final int ENTITY_GROUP_ID = 0;
    static final int ENTITY_ID = 4;

    private GroupEntityPair() {}
  }

  static final class FieldValueV2 {
    static final int SIZE = 4128;
    static final int ENTITY_GROUP_ID = 4;
    static final int ENTITY_ID = 8;
    static final int FIELD_ID = 12;
    static final int FIELD_TYPE = 14;
    static final int STATUS = 16;
    static final int TS = 24;
    static final int VALUE = 32;

    private FieldValueV2() {}
  }

  static final class ConnectV2ParamsV2 {
    static final int SIZE = 16;
    static final int PERSIST_AFTER_DISCONNECT = 4;
    static final int TIMEOUT_MS = 8;
    static final int ADDRESS_IS_UNIX_SOCKET = 12;

    private ConnectV2ParamsV2() {}
  }

  static final class ConnectV3ParamsV1 {
    static final int SIZE = 12;
    static final int TIMEOUT_MS = 8;

    private ConnectV3ParamsV1() {}
  }

  static final class StartEmbeddedV2ParamsV1 {
    static final int SIZE = 72;

    private StartEmbeddedV2ParamsV1() {}
  }

  static final class StartEmbeddedV2ParamsV2 {
    static final int SIZE = 80;

    private StartEmbeddedV2ParamsV2() {}
  }

  /** The fields used here have the same places in all versions. */
  static final class StartEmbeddedV2ParamsV3 {
    static final int SIZE = 104;
    static final int OP_MODE = 4;
    static final int DCGM_HANDLE = 8;

    private StartEmbeddedV2ParamsV3() {}
  }

  static final class MigHierarchyInfoV2 {
    static final int SIZE = 164;
    static final int ENTITY = 0;
    static final int PARENT = 8;
    static final int INFO = 16;

    private MigHierarchyInfoV2() {}
  }

  static final class MigEntityInfo {
    static final int NVML_INSTANCE_ID = 132;
    static final int NVML_MIG_PROFILE_ID = 140;

    private MigEntityInfo() {}
  }

  static final class MigHierarchyV2 {
    static final int SIZE = 73_480;
    static final int COUNT = 4;
    static final int ENTITY_LIST = 8;

    private MigHierarchyV2() {}
  }

  /** DCGM 3 */
  static final class NvLinkStatusV3 {
    static final int SIZE = 5564;
    static final int NUM_NV_SWITCHES = 2440;
    static final int NV_SWITCHES = 2444;

    private NvLinkStatusV3() {}
  }

  /** DCGM 4.0 to 4.5 */
  static final class NvLinkStatusV4 {
    static final int SIZE = 14_780;
    static final int NUM_NV_SWITCHES = 2440;
    static final int NV_SWITCHES = 2444;

    private NvLinkStatusV4() {}
  }

  /** DCGM 4.6 */
  static final class NvLinkStatusV5 {
    static final int SIZE = 17_084;
    static final int NUM_NV_SWITCHES = 4744;
    static final int NV_SWITCHES = 4748;

    private NvLinkStatusV5() {}
  }

  /** The links of an NVSwitch in version 3. */
  static final class NvLinkNvSwitchLinkStatusV1 {
    static final int SIZE = 260;
    static final int LINK_STATE = 4;

    private NvLinkNvSwitchLinkStatusV1() {}
  }

  /** The same in versions 4 and 5. */
  static final class NvLinkNvSwitchLinkStatusV2 {
    static final int SIZE = 1028;
    static final int LINK_STATE = 4;

    private NvLinkNvSwitchLinkStatusV2() {}
  }

  static final class DeviceAttributesV3 {
    static final int SIZE = 5220;
    static final int IDENTIFIERS = 3120;

    private DeviceAttributesV3() {}
  }

  static final class DeviceIdentifiersV1 {
    static final int UUID = 1028;
    static final int VBIOS = 1284;

    private DeviceIdentifiersV1() {}
  }

  static final class VersionInfoV2 {
    static final int SIZE = 516;
    static final int RAW_BUILD_INFO_STRING = 4;

    private VersionInfoV2() {}
  }

  static final class ModuleGetStatusesV1 {
    static final int SIZE = 136;
    static final int NUM_STATUSES = 4;
    static final int STATUSES = 8;

    private ModuleGetStatusesV1() {}
  }

  static final class HealthSetParamsV2 {
    static final int SIZE = 40;
    static final int GROUP_ID = 8;
    static final int SYSTEMS = 16;
    static final int UPDATE_INTERVAL = 24;
    static final int MAX_KEEP_AGE = 32;

    private HealthSetParamsV2() {}
  }

  static final class PolicyV1 {
    static final int SIZE = 144;
    static final int CONDITION = 4;

    private PolicyV1() {}
  }

  /** The condition has the same place in version 1, which has no GPU. */
  static final class PolicyCallbackResponseV2 {
    static final int CONDITION = 4;
    static final int GPU_ID = 24;

    private PolicyCallbackResponseV2() {}
  }

  static final class DiagErrorDetail {
    static final int CODE = 1024;

    private DiagErrorDetail() {}
  }

  static final class IncidentInfo {
    static final int SIZE = 1044;
    static final int SYSTEM = 0;
    static final int HEALTH = 4;
    static final int ERROR = 8;
    static final int ENTITY_INFO = 1036;

    private IncidentInfo() {}
  }

  static final class HealthResponseV4 {
    static final int SIZE = 66_828;

    private HealthResponseV4() {}
  }

  /** The fields have the same places as in version 4. */
  static final class HealthResponseV5 {
    static final int SIZE = 1_069_068;
    static final int INCIDENT_COUNT = 8;
    static final int INCIDENTS = 12;

    private HealthResponseV5() {}
  }
}
