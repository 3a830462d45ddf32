package io.lapwing.jobs;

import io.lapwing.metric.LabelText;

/**
 * Who has a GPU. What is not known is empty; all values are fit for labels.
 *
 * @param jobId the scheduler's, such as Slurm's job id
 * @param user who runs it; the number where the name is not known
 * @param account the account of the Slurm job
 * @param partition the partition of the Slurm job
 * @param pod the pod's name
 * @param namespace the pod's namespace
 * @param container its name in the pod; outside of Kubernetes the first twelve digits of its id
 */
record Holder(
    String jobId,
    String user,
    String account,
    String partition,
    String pod,
    String namespace,
    String container) {

  private static final String UNKNOWN = "";

  Holder {
    jobId = LabelText.clean(jobId);
    user = LabelText.clean(user);
    account = LabelText.clean(account);
    partition = LabelText.clean(partition);
    pod = LabelText.clean(pod);
    namespace = LabelText.clean(namespace);
    container = LabelText.clean(container);
  }

  static Holder job(String jobId) {
    return new Holder(jobId, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
  }

  static Holder pod(String namespace, String pod, String container) {
    return new Holder(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, pod, namespace, container);
  }

  Holder of(JobDetails details) {
    return new Holder(
        jobId, details.user(), details.account(), details.partition(), pod, namespace, container);
  }

  Holder inPod(String itsNamespace, String itsPod, String itsContainer) {
    return new Holder(jobId, user, account, partition, itsPod, itsNamespace, itsContainer);
  }

  /**
   * Whether both are the same. The same job is, whatever else is known of it; where not both name a
   * job, the same container of the same pod is; and a process of nobody's job is its user's.
   */
  boolean mayBe(Holder other) {
    if (bothNamed(jobId, other.jobId)) {
      return jobId.equals(other.jobId);
    }
    if (bothNamed(pod, other.pod)) {
      return pod.equals(other.pod)
          && namespace.equals(other.namespace)
          && agree(container, other.container);
    }
    boolean neitherIsMore =
        jobId.isEmpty() == other.jobId.isEmpty() && pod.isEmpty() == other.pod.isEmpty();
    return neitherIsMore && container.equals(other.container) && user.equals(other.user);
  }

  /** What both know together; of two answers this one's stands. */
  Holder with(Holder other) {
    return new Holder(
        either(jobId, other.jobId),
        either(user, other.user),
        either(account, other.account),
        either(partition, other.partition),
        either(pod, other.pod),
        either(namespace, other.namespace),
        either(container, other.container));
  }

  private static boolean bothNamed(String one, String other) {
    return !one.isEmpty() && !other.isEmpty();
  }

  private static boolean agree(String one, String other) {
    return !bothNamed(one, other) || one.equals(other);
  }

  private static String either(String one, String other) {
    return one.isEmpty() ? other : one;
  }
}
