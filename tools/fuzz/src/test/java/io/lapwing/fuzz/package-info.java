/** Fuzz targets, their initial inputs, and the runners. */
@NullMarked
package io.lapwing.fuzz;

import org.jspecify.annotations.NullMarked;
