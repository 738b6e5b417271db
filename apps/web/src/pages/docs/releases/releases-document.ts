import type { DocsDocument } from '../docs-model.ts';
import { howTo } from './how-to.tsx';
import { ownPage } from './own-page.tsx';
import { reference } from './reference.tsx';
import { start } from './start.tsx';

export const releasesDocument: DocsDocument = {
  title: 'Firmware releases',
  lead: 'Keep the versions of your firmware in one place, and share them as links that anyone can flash from.',
  groups: [start, howTo, reference, ownPage],
};
