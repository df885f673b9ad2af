// The part of JUnit 5 that the exported tests use, so that they compile and run without JUnit.
package org.junit.jupiter.api;
public final class Assertions { public static <V> V fail(String why) { throw new AssertionError(why); } }
