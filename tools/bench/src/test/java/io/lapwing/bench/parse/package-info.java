/** How fast what comes line by line is read: micro-benchmarks, run by hand. */
@NullMarked
package io.lapwing.bench.parse;

import org.jspecify.annotations.NullMarked;
