import type { DocsDocument } from '../docs-model.ts';
import { howTo } from './how-to.tsx';
import { reference } from './reference.tsx';
import { start } from './start.tsx';

export const releasesDocument: DocsDocument = {
  title: 'Firmware releases',
  lead: 'Keep the versions of a firmware in one place and hand them out as a link that flashes.',
  groups: [start, howTo, reference],
};
