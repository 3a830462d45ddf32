/** A small HTTP/1.1 client whose requests always end. */
@NullMarked
package io.lapwing.http;

import org.jspecify.annotations.NullMarked;
