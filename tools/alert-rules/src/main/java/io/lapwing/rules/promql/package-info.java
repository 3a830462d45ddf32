/** PromQL syntax tree. promtool checks validity; this parser expects valid queries. */
@NullMarked
package io.lapwing.rules.promql;

import org.jspecify.annotations.NullMarked;
