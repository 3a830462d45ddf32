package io.lapwing.jobs;

/** A GPU, or slice, and its owner, as one source reports it. */
record Allocation(GpuPlace place, GpuOwner owner) {}
