/** The GPUs of this node: one file per subject, one source per GPU. */
@NullMarked
package io.lapwing.gpu;

import org.jspecify.annotations.NullMarked;
