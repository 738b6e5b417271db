import type { ComponentType } from 'react';
import { DocsPage } from './docs-page.tsx';
import { guides } from './guides.ts';

/** The page of the guide at `path`. Only then its text is fetched: what every page starts with need not know the parts of all guides. */
export async function guidePage(path: string): Promise<ComponentType> {
  const document = await guides.find((guide) => guide.path === path)?.load();
  if (document === undefined) {
    throw new RangeError(`There is no guide at ${path}.`);
  }
  return () => <DocsPage path={path} document={document} />;
}
