/** Statistics of network devices by ioctl(2), which Java lacks. */
@NullMarked
package io.lapwing.ethtool;

import org.jspecify.annotations.NullMarked;
