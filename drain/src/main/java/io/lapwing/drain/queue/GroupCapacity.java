package io.lapwing.drain.queue;

/**
 * The capacity of a partition or node group, in GPUs.
 *
 * @param nodes all of it
 * @param freeNodes in service, without any job
 * @param gpus all of it
 * @param allocated of nodes in service
 * @param free of nodes in service without any job: the largest gang that fits now
 * @param fragmented free ones beside a job of the same node: no gang of whole nodes can use them
 * @param outOfService of nodes that are drained, down or do not answer
 * @param returnable of these, on nodes without a job: free for a gang after their return
 * @param returnableNodes out of service, and without a job
 * @param perNode of its largest node
 */
public record GroupCapacity(
    String group,
    int nodes,
    int freeNodes,
    int gpus,
    int allocated,
    int free,
    int fragmented,
    int outOfService,
    int returnable,
    int returnableNodes,
    int perNode) {

  static GroupCapacity empty(String group) {
    return new GroupCapacity(group, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /** With one more node, of whose GPUs so many are used; {@code idle} without any job. */
  GroupCapacity plus(int has, int used, boolean idle, boolean inService) {
    return new GroupCapacity(
        group,
        nodes + 1,
        freeNodes + (inService && idle ? 1 : 0),
        gpus + has,
        allocated + (inService ? used : 0),
        free + (inService && idle ? has : 0),
        fragmented + (inService && !idle ? has - used : 0),
        outOfService + (inService ? 0 : has),
        returnable + (!inService && idle ? has : 0),
        returnableNodes + (!inService && idle ? 1 : 0),
        Math.max(perNode, has));
  }
}
