package io.lapwing.agent.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SourceGroupTest {

  private final Set<String> read = new TreeSet<>();
  private final SourceSet all =
      new SourceSet() {
        @Override
        public void add(Source source) {
          read.add(source.name());
        }

        @Override
        public void remove(String name) {
          read.remove(name);
        }
      };
  private final SourceGroup gpus = new SourceGroup(all);
  private final SourceGroup efa = new SourceGroup(all);

  private record Named(String name) implements Source {
    @Override
    public List<Collector> collectors() {
      return List.of();
    }

    @Override
    public Access begin(List<Collector> due) {
      return Access.READY;
    }
  }

  @Test
  void allOfAFamilyStopTogetherAndNoOthers() {
    gpus.add(new Named("nvml"));
    gpus.add(new Named("gpu-0"));
    efa.add(new Named("efa"));

    gpus.close();

    assertThat(read).containsExactly("efa");
    assertThat(gpus.has("gpu-0")).isFalse();
  }

  @Test
  void removedSourcesAreNotInTheGroup() {
    gpus.add(new Named("gpu-0"));
    gpus.remove("gpu-0");
    efa.add(new Named("gpu-0"));

    gpus.close();

    assertThat(read).containsExactly("gpu-0");
  }

  @Test
  void whatARoundFindsAfterTheEndIsNotRead() {
    gpus.close();

    gpus.add(new Named("gpu-0"));

    assertThat(read).isEmpty();
  }
}
