// As much of JUnit 5 as the exported tests use, so that they compile and run without it.
package org.junit.jupiter.api;
@FunctionalInterface
public interface Executable { void execute() throws Throwable; }
