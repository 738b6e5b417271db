import type { DocsDocument } from '../docs-model.ts';
import { howTo } from './how-to.tsx';
import { sharedBenches } from './other-programs.tsx';
import { ports } from './ports.tsx';
import { reference } from './reference.tsx';
import { start } from './start.tsx';

export const terminalDocument: DocsDocument = {
  title: 'Serial terminal',
  lead: 'Four ports on one timeline: connect, read, find, send, and keep what you learned about a device.',
  groups: [start, ports, howTo, reference, sharedBenches],
};
