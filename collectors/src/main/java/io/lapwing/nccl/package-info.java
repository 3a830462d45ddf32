/** NCCL: communicators from its RAS service and bandwidths from its Inspector plugin. */
@NullMarked
package io.lapwing.nccl;

import org.jspecify.annotations.NullMarked;
