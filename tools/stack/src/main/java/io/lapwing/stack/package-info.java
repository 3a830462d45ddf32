/** Real servers around simulated nodes, which end with the process that started them. */
@NullMarked
package io.lapwing.stack;

import org.jspecify.annotations.NullMarked;
