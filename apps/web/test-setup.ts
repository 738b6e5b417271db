/** For the tests of components: how they wait for what appears. */
import { configure, getConfig, prettyDOM } from '@testing-library/react';

/** The real one, whatever clock a test puts in. */
const soon = globalThis.setImmediate;
const { asyncWrapper } = getConfig();

/** Nothing was found: what was there instead is printed when somebody reads it, and not at each look while a test waits. */
function notFound(message: string | null, container: Element): Error {
  const error = new Error(message ?? '');
  error.name = 'TestingLibraryElementError';
  let text: string | null = null;
  Object.defineProperty(error, 'message', {
    get: () => {
      text ??= [message, prettyDOM(container)].filter((part) => part).join('\n\n');
      return text;
    },
  });
  return error;
}

configure({
  getElementError: notFound,
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
