/**
 * The service manager that started this process, where one did: {@link
 * io.lapwing.systemd.Supervisor} is what the rest of Lapwing speaks, {@code NotifySocket} is the
 * protocol of sd_notify(3), over a datagram socket that Java has none of.
 */
@NullMarked
package io.lapwing.systemd;

import org.jspecify.annotations.NullMarked;
