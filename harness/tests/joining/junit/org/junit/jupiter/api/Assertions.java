// As much of JUnit 5 as the exported tests use, so that they compile and run without it.
package org.junit.jupiter.api;
public final class Assertions { public static <V> V fail(String why) { throw new AssertionError(why); } }
