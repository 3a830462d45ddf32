/** Sources that can hang, collectors with cadences, readings that may be absent. */
@NullMarked
package io.lapwing.collect;

import org.jspecify.annotations.NullMarked;
