/**
 * The collectives of ranks on this node, from the ring files of Lapwing's profiler plugin for NCCL.
 */
@NullMarked
package io.lapwing.nccl.ring;

import org.jspecify.annotations.NullMarked;
