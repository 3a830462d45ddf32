/**
 * NCCL, the communication library of GPUs: the status of communicators from its RAS service and
 * bandwidths from its Inspector plugin, of jobs on this node while they run.
 */
@NullMarked
package io.lapwing.nccl;

import org.jspecify.annotations.NullMarked;
