/** sd_notify(3) over a Unix datagram socket, which Java lacks. */
@NullMarked
package io.lapwing.systemd;

import org.jspecify.annotations.NullMarked;
