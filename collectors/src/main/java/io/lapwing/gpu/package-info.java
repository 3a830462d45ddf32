/** The GPUs of this node: one file for each subject, one source for each GPU. */
@NullMarked
package io.lapwing.gpu;

import org.jspecify.annotations.NullMarked;
