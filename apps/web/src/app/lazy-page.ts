import { type ComponentType, lazy } from 'react';
import { isRunFailure } from '../shared/ui/run-failure.ts';

/** A page that cannot be shown because its code did not come, or came and failed. */
export class PageLoadError extends Error {
  /** `not-loaded`: offline, or the server has a newer version by now. `not-run`: the browser has the code and could not run it. */
  readonly kind: 'not-loaded' | 'not-run';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'PageLoadError';
    this.kind = isRunFailure(cause) ? 'not-run' : 'not-loaded';
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
