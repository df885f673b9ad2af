package tracegauge;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;

/** Runs the exported tests as JUnit would, and counts. */
public final class Main {
    public static void main(String[] arguments) throws Throwable {
        int passed = 0, failed = 0, skipped = 0;
        for (DynamicTest test : new ConformanceTest().cases()) {
            try {
                test.run.execute();
                passed++;
            } catch (Assumptions.Skipped skip) {
                skipped++;
            } catch (AssertionError error) {
                failed++;
                System.out.println(test.name + ": " + error.getMessage());
            }
        }
        System.out.println(passed + " passed, " + failed + " failed, " + skipped + " skipped");
    }
}
