import { type ComponentType, lazy } from 'react';

/** The code of a page could not be fetched: offline, or the server has a newer version by now. */
export class PageLoadError extends Error {
  constructor(cause: unknown) {
    super('The page could not be loaded.', { cause });
    this.name = 'PageLoadError';
  }
}

/** A page whose code is fetched when its address is first visited. */
export function lazyPage<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      throw new PageLoadError(error);
    }
  });
}
