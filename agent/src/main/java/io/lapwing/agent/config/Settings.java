package io.lapwing.agent.config;

/**
 * Everything the operator may set, checked and final.
 *
 * @param once print one page and exit
 */
public record Settings(
    WebSettings web,
    PathSettings paths,
    CadenceSettings cadence,
    GpuSettings gpu,
    CollectorSettings collectors,
    HealthSettings health,
    LogSettings log,
    NodeSettings node,
    LustreTargets lustreTargets,
    WorkloadSettings workload,
    boolean once) {

  /** The same for a look that leaves nothing behind. */
  public Settings justOnce() {
    return new Settings(
        web, paths, cadence, gpu, collectors, health, log, node, lustreTargets, workload, true);
  }

  /** The node's name. */
  public String hostname() {
    return node.hostname();
  }
}
