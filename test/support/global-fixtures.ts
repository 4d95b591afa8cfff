/** Mocha's global fixtures. The shared test database server is started here, once a run. */
export {};
