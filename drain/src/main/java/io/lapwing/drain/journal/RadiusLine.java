package io.lapwing.drain.journal;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.lapwing.drain.cluster.Share;
import io.lapwing.drain.jobs.BlastRadius;
import io.lapwing.drain.jobs.JobAtStake;
import io.lapwing.drain.jobs.Loss;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A {@link BlastRadius} as JSON, without unknown values. */
record RadiusLine(
    List<JobLine> jobs,
    List<Share> shares,
    int idle,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable List<String> blocked,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable List<String> others) {

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record JobLine(
      String id,
      String user,
      int nodes,
      @Nullable Integer gpus,
      @Nullable String durable,
      @Nullable Double hoursNow,
      @Nullable Double dollarsNow,
      @Nullable Double hoursAtCheckpoint,
      @Nullable Double dollarsAtCheckpoint,
      @Nullable String next) {

    static JobLine of(JobAtStake job) {
      return new JobLine(
          job.id(),
          job.user(),
          job.nodes(),
          job.gpus().isPresent() ? job.gpus().getAsInt() : null,
          job.durable().map(Instant::toString).orElse(null),
          value(job.now().gpuHours()),
          value(job.now().dollars()),
          value(job.atCheckpoint().gpuHours()),
          value(job.atCheckpoint().dollars()),
          job.next().map(Instant::toString).orElse(null));
    }

    JobAtStake job() {
      return new JobAtStake(
          id,
          user,
          nodes,
          gpus == null ? OptionalInt.empty() : OptionalInt.of(gpus),
          Optional.ofNullable(durable).map(Instant::parse),
          new Loss(value(hoursNow), value(dollarsNow)),
          new Loss(value(hoursAtCheckpoint), value(dollarsAtCheckpoint)),
          Optional.ofNullable(next).map(Instant::parse));
    }

    private static @Nullable Double value(OptionalDouble known) {
      return known.isPresent() ? known.getAsDouble() : null;
    }

    private static OptionalDouble value(@Nullable Double known) {
      return known == null ? OptionalDouble.empty() : OptionalDouble.of(known);
    }
  }

  static RadiusLine of(BlastRadius radius) {
    return new RadiusLine(
        radius.jobs().stream().map(JobLine::of).toList(),
        radius.shares(),
        radius.idle(),
        radius.blocked(),
        radius.others());
  }

  BlastRadius radius() {
    return new BlastRadius(
        jobs.stream().map(JobLine::job).toList(),
        shares,
        idle,
        blocked == null ? List.of() : blocked,
        others == null ? List.of() : others);
  }
}
