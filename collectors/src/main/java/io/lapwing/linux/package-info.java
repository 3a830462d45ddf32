/** Readers of kernel files. Mount points are parameters: tests and containers use other ones. */
@NullMarked
package io.lapwing.linux;

import org.jspecify.annotations.NullMarked;
