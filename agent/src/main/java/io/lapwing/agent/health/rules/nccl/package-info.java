/**
 * The rules of NCCL communicators. They are about a job more than about the node it runs on: a rank
 * that hangs may wait for any other, and what holds it may be the program. None of them ever asks
 * for more than a look; what is wrong with the node shows in the rules of its parts.
 */
@NullMarked
package io.lapwing.agent.health.rules.nccl;

import org.jspecify.annotations.NullMarked;
