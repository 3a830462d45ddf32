/** What reading training loops costs a running agent. */
@NullMarked
package io.lapwing.bench.training;

import org.jspecify.annotations.NullMarked;
