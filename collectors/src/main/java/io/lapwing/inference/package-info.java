/** Inference engines on this node: their own metrics under common names. */
@NullMarked
package io.lapwing.inference;

import org.jspecify.annotations.NullMarked;
