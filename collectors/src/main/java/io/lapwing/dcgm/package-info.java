/**
 * DCGM, for what NVML does not have: {@link io.lapwing.dcgm.Dcgm}, {@link
 * io.lapwing.dcgm.DcgmEngine}, {@link io.lapwing.dcgm.DcgmWatch}, {@link
 * io.lapwing.dcgm.DcgmHealthWatch} and {@link io.lapwing.dcgm.DcgmPolicies} are the ports, {@code
 * DcgmLibrary} the C header, {@code JnaDcgm} and the other {@code Jna} classes the adapters. A call
 * may hang as long as the host engine does.
 */
@NullMarked
package io.lapwing.dcgm;

import org.jspecify.annotations.NullMarked;
