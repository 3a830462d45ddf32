package io.lapwing.gpu;

/** How the GPUs are shown: which families, with which labels. */
public record GpuView(FieldSelection selection, GpuLabelling labelling) {}
