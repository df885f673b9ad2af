package tracegauge;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs the exported tests of the named classes as JUnit would, and counts the results. */
public final class Main {
    private static int passed, failed, skipped;

    public static void main(String[] classes) throws Throwable {
        for (String name : classes) {
            Class<?> tests = Class.forName("tracegauge." + name);
            for (Method method : tests.getDeclaredMethods()) {
                if (method.isAnnotationPresent(TestFactory.class)) {
                    var constructor = tests.getDeclaredConstructor();
                    ((Stream<?>) method.invoke(constructor.newInstance())).forEach(test -> run((DynamicTest) test));
                }
            }
        }
        System.out.println(passed + " passed, " + failed + " failed, " + skipped + " skipped");
    }

    private static void run(DynamicTest test) {
        try {
            test.run.execute();
            passed++;
        } catch (Assumptions.Skipped skip) {
            skipped++;
        } catch (Throwable error) {
            failed++;
            System.out.println("FAILED " + test.name + ": " + error.getMessage());
        }
    }
}
