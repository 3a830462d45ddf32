package io.lapwing.gpu;

/** How the GPUs are shown: which families, with which labels. Thread-safe. */
public final class GpuView {

  private final GpuLabelling labelling;
  private volatile FieldSelection selection;

  public GpuView(FieldSelection selection, GpuLabelling labelling) {
    this.selection = selection;
    this.labelling = labelling;
  }

  FieldSelection selection() {
    return selection;
  }

  GpuLabelling labelling() {
    return labelling;
  }

  /** Other families from the next round on; labels stay, since a series is known by them. */
  public void show(FieldSelection others) {
    selection = others;
  }
}
