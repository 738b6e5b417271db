import type { DocsDocument } from '../docs-model.ts';
import { guidance } from './guidance.tsx';
import { howTo } from './how-to.tsx';
import { reference } from './reference.tsx';
import { start } from './start.tsx';

export const flasherDocument: DocsDocument = {
  title: 'Firmware flasher',
  lead: 'From files or a link to a running board: what happens, what stays, and what to do when it does not work.',
  groups: [start, howTo, reference, guidance],
};
