/** Rules on the machine around the GPUs: memory, disks, file systems, tasks and system services. */
@NullMarked
package io.lapwing.agent.health.rules.host;

import org.jspecify.annotations.NullMarked;
