/** Optional parts of a page, loaded after its main content. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * Returns a component that appears after its code was loaded. If the load fails, it shows nothing, because the page
 * is complete without it.
 */
export function optionalPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy<ComponentType<Props>>(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: () => null }),
    ),
  );
}
