/** Slurm 22.05 to 26.05, by its own commands. */
@NullMarked
package io.lapwing.drain.slurm;

import org.jspecify.annotations.NullMarked;
