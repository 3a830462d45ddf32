@NullMarked
package io.lapwing.simulator;

import org.jspecify.annotations.NullMarked;
