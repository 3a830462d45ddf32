/**
 * The rules on NCCL communicators. They concern a job more than its node: a rank that hangs may
 * wait for any other, or the program itself may block it. So none of them requires more than
 * watching; faults of the node have findings of their own.
 */
@NullMarked
package io.lapwing.agent.health.rules.nccl;

import org.jspecify.annotations.NullMarked;
