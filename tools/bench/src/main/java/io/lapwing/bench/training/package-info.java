/** Cost of reading training loops for a running agent. */
@NullMarked
package io.lapwing.bench.training;

import org.jspecify.annotations.NullMarked;
