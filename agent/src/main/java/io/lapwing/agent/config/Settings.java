package io.lapwing.agent.config;

/**
 * Everything the operator may set, checked and final.
 *
 * @param hostname the node's name in labels and on the landing page
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
    String hostname,
    boolean once) {

  /** The same for a look that leaves nothing behind. */
  public Settings justOnce() {
    return new Settings(web, paths, cadence, gpu, collectors, health, log, hostname, true);
  }
}
