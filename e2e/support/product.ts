/** Address of the product during the tests. The test command picks a free port; a test run alone uses a fixed one. */
const port = process.env.WIREBENCH_E2E_PORT ?? '4180';

export const origin = `http://localhost:${port}`;

/** Port for the environment of the server under test. */
export const serverPort = port;
