/** Real servers around simulated nodes, started by hand and gone with whoever started them. */
@NullMarked
package io.lapwing.stack;

import org.jspecify.annotations.NullMarked;
