package io.lapwing.agent.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FilteredSourcesTest {

  private final List<Source> added = new ArrayList<>();
  private final List<String> removed = new ArrayList<>();
  private final SourceSet switched =
      new FilteredSources(
          new SourceSet() {
            @Override
            public void add(Source source) {
              added.add(source);
            }

            @Override
            public void remove(String name) {
              removed.add(name);
            }
          },
          collector -> collector.equals("efa"));

  private record Named(String name) implements Collector {
    @Override
    public Cadence cadence() {
      return Cadence.MEDIUM;
    }

    @Override
    public void collect(SampleSink sink) {
      // What it reads does not matter here.
    }
  }

  /** A device in a worker group with others. */
  private static final class Device implements Source {
    @Override
    public String name() {
      return "efa-rdmap79s0";
    }

    @Override
    public Optional<String> parent() {
      return Optional.of("efa");
    }

    @Override
    public String workerGroup() {
      return "efa-devices";
    }

    @Override
    public Optional<Part> part() {
      return Optional.of(Part.whole("efa"));
    }

    @Override
    public List<Collector> collectors() {
      return List.of(new Named("efa"), new Named("efa_info"));
    }

    @Override
    public Access begin(List<Collector> due) {
      return new Access.NothingHere("looked at");
    }
  }

  @Test
  void whatIsSwitchedOffIsNotReadOfAnySource() {
    switched.add(new Device());
    assertThat(added).hasSize(1);
    assertThat(added.get(0).collectors()).extracting(Collector::name).containsExactly("efa");
  }

  @Test
  void theSourceIsOtherwiseWhatItWas() {
    switched.add(new Device());
    Source source = added.get(0);
    assertThat(source.name()).isEqualTo("efa-rdmap79s0");
    assertThat(source.parent()).contains("efa");
    assertThat(source.workerGroup()).isEqualTo("efa-devices");
    assertThat(source.part()).contains(Part.whole("efa"));
    assertThat(source.begin(List.of())).isEqualTo(new Access.NothingHere("looked at"));
  }

  @Test
  void aSourceIsRemovedByItsName() {
    switched.remove("efa-rdmap79s0");
    assertThat(removed).containsExactly("efa-rdmap79s0");
  }
}
