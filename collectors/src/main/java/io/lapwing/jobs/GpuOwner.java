package io.lapwing.jobs;

import io.lapwing.jobs.SlurmJobs.JobDetails;
import io.lapwing.kubelet.PodResources.Claim;
import io.lapwing.metric.LabelText;

/**
 * Who a GPU is allocated to. Unknown fields are empty; all are safe for labels.
 *
 * @param jobId of the scheduler, such as Slurm's job id
 * @param jobName as its user named the job
 * @param user who runs it; the uid if the name is unknown
 * @param account of the Slurm job
 * @param partition of the Slurm job
 * @param pod the pod's name
 * @param namespace the pod's namespace
 * @param container its name in the pod; outside of Kubernetes the first twelve digits of its id
 * @param claim of the pod, by Dynamic Resource Allocation
 */
record GpuOwner(
    String jobId,
    String jobName,
    String user,
    String account,
    String partition,
    String pod,
    String namespace,
    String container,
    Claim claim) {

  private static final String UNKNOWN = "";

  GpuOwner {
    jobId = LabelText.clean(jobId);
    jobName = LabelText.clean(jobName);
    user = LabelText.clean(user);
    account = LabelText.clean(account);
    partition = LabelText.clean(partition);
    pod = LabelText.clean(pod);
    namespace = LabelText.clean(namespace);
    container = LabelText.clean(container);
    claim =
        claim.equals(Claim.NONE)
            ? Claim.NONE
            : new Claim(
                LabelText.clean(claim.name()),
                LabelText.clean(claim.namespace()),
                LabelText.clean(claim.driver()),
                LabelText.clean(claim.pool()),
                LabelText.clean(claim.device()));
  }

  static GpuOwner job(String jobId) {
    return new GpuOwner(
        jobId, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, Claim.NONE);
  }

  static GpuOwner pod(String namespace, String pod, String container) {
    return pod(namespace, pod, container, Claim.NONE);
  }

  static GpuOwner pod(String namespace, String pod, String container, Claim claim) {
    return new GpuOwner(
        UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, pod, namespace, container, claim);
  }

  GpuOwner of(JobDetails details) {
    return new GpuOwner(
        jobId,
        details.name(),
        details.user(),
        details.account(),
        details.partition(),
        pod,
        namespace,
        container,
        claim);
  }

  GpuOwner inPod(String newNamespace, String newPod, String newContainer) {
    return new GpuOwner(
        jobId, jobName, user, account, partition, newPod, newNamespace, newContainer, claim);
  }

  /** Whether both may be the same owner: by job id; else by pod and container; else by user. */
  boolean mayEqual(GpuOwner other) {
    if (bothPresent(jobId, other.jobId)) {
      return jobId.equals(other.jobId);
    }
    if (bothPresent(pod, other.pod)) {
      return pod.equals(other.pod)
          && namespace.equals(other.namespace)
          && agree(container, other.container);
    }
    boolean sameKind =
        jobId.isEmpty() == other.jobId.isEmpty() && pod.isEmpty() == other.pod.isEmpty();
    return sameKind && container.equals(other.container) && user.equals(other.user);
  }

  /** Merges two reports of one owner; fields of this one take precedence. */
  GpuOwner with(GpuOwner other) {
    return new GpuOwner(
        either(jobId, other.jobId),
        either(jobName, other.jobName),
        either(user, other.user),
        either(account, other.account),
        either(partition, other.partition),
        either(pod, other.pod),
        either(namespace, other.namespace),
        either(container, other.container),
        claim.equals(Claim.NONE) ? other.claim : claim);
  }

  private static boolean bothPresent(String one, String other) {
    return !one.isEmpty() && !other.isEmpty();
  }

  private static boolean agree(String one, String other) {
    return !bothPresent(one, other) || one.equals(other);
  }

  private static String either(String one, String other) {
    return one.isEmpty() ? other : one;
  }
}
