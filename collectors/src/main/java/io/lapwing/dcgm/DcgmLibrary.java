package io.lapwing.dcgm;

import com.sun.jna.Library;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of {@code dcgm_agent.h}: handles and groups, which are {@code uintptr_t}, as long,
 * every out-parameter a pointer, results {@code dcgmReturn_t}. A function that the loaded library
 * lacks throws {@link UnsatisfiedLinkError} only when called.
 */
interface DcgmLibrary extends Library {

  int dcgmInit();

  int dcgmConnect_v2(String address, Pointer params, Pointer handle);

  /** DCGM 4.5 and later. */
  int dcgmConnect_v3(String uri, Pointer params, Pointer handle);

  int dcgmDisconnect(long handle);

  int dcgmStartEmbedded_v2(Pointer params);

  int dcgmStopEmbedded(long handle);

  int dcgmVersionInfo(Pointer info);

  int dcgmHostengineVersionInfo(long handle, Pointer info);

  int dcgmGetEntityGroupEntities(
      long handle, int entityGroup, Pointer entities, Pointer count, int flags);

  int dcgmGetGpuInstanceHierarchy(long handle, Pointer hierarchy);

  int dcgmGetNvLinkLinkStatus(long handle, Pointer status);

  int dcgmGetDeviceAttributes(long handle, int gpu, Pointer attributes);

  int dcgmGroupCreate(long handle, int type, String name, Pointer group);

  int dcgmGroupAddEntity(long handle, long group, int entityGroup, int entity);

  int dcgmGroupDestroy(long handle, long group);

  int dcgmFieldGroupCreate(long handle, int count, Pointer fields, String name, Pointer group);

  int dcgmFieldGroupDestroy(long handle, long fieldGroup);

  int dcgmWatchFields(
      long handle, long group, long fieldGroup, long micros, double keepSeconds, int keepSamples);

  int dcgmUnwatchFields(long handle, long group, long fieldGroup);

  int dcgmEntitiesGetLatestValues(
      long handle,
      Pointer entities,
      int entityCount,
      Pointer fields,
      int fieldCount,
      int flags,
      Pointer values);

  int dcgmModuleGetStatuses(long handle, Pointer statuses);

  int dcgmHealthSet_v2(long handle, Pointer params);

  int dcgmHealthCheck(long handle, long group, Pointer response);

  int dcgmPolicyGet(long handle, long group, int count, Pointer policies, long statuses);

  /** DCGM 4; the callback runs on a thread of the library. */
  int dcgmPolicyRegister_v2(
      long handle, long group, int conditions, DcgmPolicyCallbacks.OfDcgm4 callback, long userData);

  /** DCGM 3; it calls both for each violation. Either may be NULL. */
  int dcgmPolicyRegister(
      long handle,
      long group,
      int conditions,
      DcgmPolicyCallbacks.OfDcgm3 begin,
      DcgmPolicyCallbacks.@Nullable OfDcgm3 finish);

  int dcgmPolicyUnregister(long handle, long group, int conditions);

  /** NULL for a field that this version does not know. */
  Pointer DcgmFieldGetById(short field);
}
