/** Log records on standard error, as logfmt or JSON. */
@NullMarked
package io.lapwing.common.log;

import org.jspecify.annotations.NullMarked;
