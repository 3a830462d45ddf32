/**
 * NCCL, the library that moves data between GPUs: what its RAS service tells of communicators, and
 * what its Inspector writes of bandwidth. Both are about jobs that run here and go when they do.
 */
@NullMarked
package io.lapwing.nccl;

import org.jspecify.annotations.NullMarked;
