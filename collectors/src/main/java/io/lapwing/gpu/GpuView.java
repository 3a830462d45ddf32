package io.lapwing.gpu;

/** The families and labels of the GPUs. Thread-safe. */
public final class GpuView {

  private final GpuLabelling labelling;
  private volatile FieldSelection selection;

  public GpuView(FieldSelection selection, GpuLabelling labelling) {
    this.selection = selection;
    this.labelling = labelling;
  }

  public FieldSelection selection() {
    return selection;
  }

  GpuLabelling labelling() {
    return labelling;
  }

  /** Selects other families from the next round on; labels stay, since they identify series. */
  public void show(FieldSelection others) {
    selection = others;
  }
}
