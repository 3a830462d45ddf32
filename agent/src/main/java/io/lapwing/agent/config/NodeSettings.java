package io.lapwing.agent.config;

import java.net.URI;
import java.util.Optional;

/**
 * What the node is, and who is asked.
 *
 * @param hostname the node's name in labels and on the landing page
 * @param instanceType empty where it is to be found out
 * @param instanceId empty where it is to be found out
 * @param imds where the instance metadata service is; empty where it is not to be asked
 * @param imdsIsGiven whether somebody said so, and it is to be asked wherever the agent runs
 */
public record NodeSettings(
    String hostname,
    String instanceType,
    String instanceId,
    Optional<URI> imds,
    boolean imdsIsGiven) {}
