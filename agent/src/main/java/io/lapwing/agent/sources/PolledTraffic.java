package io.lapwing.agent.sources;

import io.lapwing.collect.CollectorRun;
import io.lapwing.collect.Part;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.efa.EfaSource;
import io.lapwing.host.EnaSource;
import io.lapwing.host.HostMetrics;
import io.lapwing.jobs.NodeTraffic;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Samples;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The bytes that the sources of the EFA and ENA devices read last. */
public record PolledTraffic(Poller poller, Cadences cadences) implements NodeTraffic {

  @Override
  public Optional<Totals> totals() {
    List<SourceView> sources = poller.sources();
    OptionalDouble received = sum(sources, EnaSource.ENA, HostMetrics.ENA_RECEIVED);
    OptionalDouble sent = sum(sources, EnaSource.ENA, HostMetrics.ENA_TRANSMITTED);
    OptionalDouble in = sum(sources, EfaSource.KIND, EfaMetrics.RX_BYTES);
    OptionalDouble out = sum(sources, EfaSource.KIND, EfaMetrics.TX_BYTES);
    return received.isPresent() && sent.isPresent() && in.isPresent() && out.isPresent()
        ? Optional.of(
            new Totals(
                received.getAsDouble(), sent.getAsDouble(), in.getAsDouble() + out.getAsDouble()))
        : Optional.empty();
  }

  /** Empty without a sample. */
  private OptionalDouble sum(List<SourceView> sources, String kind, Metric metric) {
    double sum = 0;
    boolean found = false;
    for (SourceView source : sources) {
      if (source.part().map(Part::kind).filter(kind::equals).isPresent()) {
        for (CollectorRun.Collected run : source.current(cadences)) {
          Samples samples = run.samples();
          for (int i = 0; i < samples.size(); i++) {
            Metric one = samples.series().get(i).metric();
            // The names differ nearly always, and are quicker to compare.
            if (one.name().equals(metric.name()) && one.equals(metric)) {
              sum += samples.value(i);
              found = true;
            }
          }
        }
      }
    }
    return found ? OptionalDouble.of(sum) : OptionalDouble.empty();
  }
}
