package io.lapwing.dcgm;

/**
 * {@code dcgmMigHierarchyInfo_v2}: a GPU instance of MIG. The engine may reuse the entity of a
 * destroyed instance.
 *
 * @param gpu the GPU that it is a part of
 * @param id NVML's id of the instance on its GPU
 * @param profile NVML's id of its profile
 */
public record DcgmInstance(DcgmEntity entity, DcgmEntity gpu, int id, int profile) {}
