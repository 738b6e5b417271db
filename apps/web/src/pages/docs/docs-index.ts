/** The passages of all guides of this edition. The build runs it and writes `virtual:docs-passages` (`docs-search-build.ts`). */
import { passagesOf } from './docs-search.ts';
import { guides } from './guides.ts';

const loaded = await Promise.all(guides.map(async ({ name, load }) => passagesOf(name, await load())));

/** @public The build reads it by the path of this file. */
export const passages = loaded.flat();
