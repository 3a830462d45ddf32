/** Amazon's EFA devices, as their driver shows them in sysfs. */
@NullMarked
package io.lapwing.efa;

import org.jspecify.annotations.NullMarked;
