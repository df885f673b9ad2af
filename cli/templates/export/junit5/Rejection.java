// Written by tracegauge corpus export; changes will be overwritten.
package tracegauge;

/** Thrown if the reader rejects a trace. */
class Rejection extends Exception {
    private static final long serialVersionUID = 1;

    Rejection(String why) {
        super(why);
    }

    Rejection(String why, Throwable cause) {
        super(why, cause);
    }
}
