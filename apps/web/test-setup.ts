/**
 * Settings of component tests: how long they wait for an element, the error if none appears, and what React records.
 */

import { configure, getConfig, prettyDOM } from '@testing-library/react';
import * as React from 'react';

/** The machine's own `setImmediate`, even if a test installs a fake clock. */
const soon = globalThis.setImmediate;
const { asyncWrapper } = getConfig();

/** Returns the error for a missing element. It prints the document only when its message is read, not on each poll. */
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
  // React runs effects in a task of its own, after their element was found in the document. That task is queued by
  // then.
  asyncWrapper: (wait) =>
    asyncWrapper(async () => {
      const found = await wait();
      await new Promise<void>((resolve) => soon(resolve));
      return found;
    }),
});

/**
 * Stops React from recording owner stacks, which takes a seventh of the time of component tests: React's development
 * build creates an error for each element, and shows it only in warnings of its own. React stops by itself once this
 * count has reached 10,000 (react 19, `jsxDEV`).
 *
 * @throws TypeError if React has no such count any more.
 */
function recordNoOwnerStacks(): void {
  const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
  if (typeof internals?.recentlyCreatedOwnerStacks !== 'number') {
    throw new TypeError('React counts its owner stacks elsewhere');
  }
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => undefined });
}

recordNoOwnerStacks();
