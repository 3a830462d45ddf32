/** Pressure on the CPUs, memory and storage of the node. */
@NullMarked
package io.lapwing.host;

import org.jspecify.annotations.NullMarked;
