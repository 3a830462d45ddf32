/**
 * The service manager that started this process, if any: {@link io.lapwing.systemd.Supervisor} is
 * the port, {@code NotifySocket} the protocol of sd_notify(3), over a Unix datagram socket, which
 * Java lacks.
 */
@NullMarked
package io.lapwing.systemd;

import org.jspecify.annotations.NullMarked;
