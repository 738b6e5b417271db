/** For the tests of components: how they wait for what appears. */
import { configure, getConfig } from '@testing-library/react';

/** The real one, whatever clock a test puts in. */
const soon = globalThis.setImmediate;
const { asyncWrapper } = getConfig();

configure({
  // On a busy machine the first import of a page takes seconds.
  asyncUtilTimeout: 15_000,
  // React runs effects in a task of its own, after what they belong to was found in the document. That task is queued by then.
  asyncWrapper: (wait) =>
    asyncWrapper(async () => {
      const found = await wait();
      await new Promise<void>((resolve) => soon(resolve));
      return found;
    }),
});
