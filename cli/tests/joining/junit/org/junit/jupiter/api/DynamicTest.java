// The part of JUnit 5 that the exported tests use, so that they compile and run without JUnit.
package org.junit.jupiter.api;
public final class DynamicTest {
    public final String name; public final Executable run;
    private DynamicTest(String name, Executable run) { this.name = name; this.run = run; }
    public static DynamicTest dynamicTest(String name, Executable run) { return new DynamicTest(name, run); }
}
