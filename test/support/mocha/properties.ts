/** A failed property names its reason in its message: a worker of Mocha passes on the message of an error but not its cause. */
import fc from 'fast-check';

fc.configureGlobal({ includeErrorInReport: true });
