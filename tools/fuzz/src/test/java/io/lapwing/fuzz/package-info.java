/** What every target of the fuzzer is, where its first inputs come from, and who feeds it. */
@NullMarked
package io.lapwing.fuzz;

import org.jspecify.annotations.NullMarked;
