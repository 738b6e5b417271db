/** Where the product runs during the tests. The test command picks a free port; alone, a fixed one is used. */
const port = process.env.WIREBENCH_E2E_PORT ?? '4180';

export const origin = `http://localhost:${port}`;

/** Environment of the server under test. */
export const serverPort = port;
