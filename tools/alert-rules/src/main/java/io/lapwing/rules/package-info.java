/**
 * The rule files, the runbooks and the catalogue as data, for the tests that hold them together.
 */
@NullMarked
package io.lapwing.rules;

import org.jspecify.annotations.NullMarked;
