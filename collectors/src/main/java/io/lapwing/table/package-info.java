/** Readers for the CSV tables in the jar. */
@NullMarked
package io.lapwing.table;

import org.jspecify.annotations.NullMarked;
