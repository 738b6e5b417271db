/** Parts of a page that come after what matters first. Knows no page. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** Shown once it has been fetched, and left out when it cannot be: without it, the page still says everything. */
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
