package io.lapwing.drain.cluster;

/**
 * Ends a job, so that its scheduler starts it again elsewhere: {@code scontrol requeue}. One thread
 * calls it. Every call ends within the driver's timeout.
 */
public interface JobEnder {

  /**
   * Ends it on all of its nodes, if it still runs and may be started again.
   *
   * @param node because of which it ends
   * @param reason for the log of the scheduler
   */
  CommandResult end(Job job, NodeName node, String reason);
}
