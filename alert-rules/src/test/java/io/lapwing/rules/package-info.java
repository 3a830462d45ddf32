/** The rules, the runbooks and the kit, held to what they promise. */
@NullMarked
package io.lapwing.rules;

import org.jspecify.annotations.NullMarked;
