package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.JobEnder;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.exec.Outcome;
import io.lapwing.drain.exec.Outcome.Exited;
import io.lapwing.drain.slurm.SlurmJobs.Restart;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * {@code scontrol requeue incomplete}: Slurm ends a batch job and starts its script again under the
 * same id, but not one that has ended or was cancelled in the meantime. Jobs that it would not
 * start again are left alone, so no job is cancelled. Never {@code requeuehold}: a job that is held
 * waits for a person. The command takes no reason.
 */
public final class SlurmJobEnder implements JobEnder {

  /** A job, or one task of an array. */
  private static final Pattern ID = Pattern.compile("[0-9]{1,10}(?:_[0-9]{1,10})?");

  private final SlurmCommands slurm;
  private final SlurmJobs jobs;

  public SlurmJobEnder(SlurmCommands slurm) {
    this.slurm = slurm;
    this.jobs = new SlurmJobs(slurm);
  }

  @Override
  public CommandResult end(Job job, NodeName node, String reason) {
    if (!ID.matcher(job.id()).matches()) {
      return new Refused("not the id of a job: " + job.id());
    }
    Optional<Restart> before;
    try {
      before = jobs.restart(job.id());
    } catch (UnreadableAnswer e) {
      return new NotYet("nothing was done: " + e.why());
    }
    if (before.isEmpty()) {
      return CommandResult.ACCEPTED; // it has left by itself
    }
    return before
        .get()
        .impossible()
        .<CommandResult>map(why -> new Refused("job " + job.id() + " " + why))
        .orElseGet(() -> requeue(job.id(), before.get()));
  }

  private CommandResult requeue(String id, Restart before) {
    Outcome outcome = slurm.tell(List.of("requeue", "incomplete", id));
    if (outcome instanceof Exited exited && exited.code() == 0) {
      return CommandResult.ACCEPTED;
    }
    String why = "scontrol " + SlurmCommands.words(outcome);
    try {
      Optional<Restart> after = jobs.restart(id);
      if (after.isEmpty() || after.get().count() > before.count()) {
        return CommandResult.ACCEPTED;
      }
    } catch (UnreadableAnswer e) {
      return new Unclear(why + "; the job cannot be read after the command: " + e.why());
    }
    return SlurmCommands.refused(outcome) ? new Refused(why) : new Unclear(why);
  }
}
