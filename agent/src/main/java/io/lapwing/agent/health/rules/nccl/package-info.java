/**
 * Rules on NCCL communicators. A hung rank may wait for any other or for the program, so none
 * requires more than watching; faults of the node have findings of their own.
 */
@NullMarked
package io.lapwing.agent.health.rules.nccl;

import org.jspecify.annotations.NullMarked;
