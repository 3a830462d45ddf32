package io.lapwing.jobs;

/** That somebody has a GPU, as one source of it says. */
record Claim(GpuPlace place, Holder holder) {}
