/**
 * The tables that come with Lapwing: comma-separated text, one row for each thing that is known.
 */
@NullMarked
package io.lapwing.table;

import org.jspecify.annotations.NullMarked;
