/** PromQL as a tree. Whether a query is valid is for promtool to say; this reads what is. */
@NullMarked
package io.lapwing.rules.promql;

import org.jspecify.annotations.NullMarked;
