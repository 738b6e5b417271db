import type { DocsDocument, DocsGroup } from '../docs-model.ts';
import { howTo } from './how-to.tsx';
import { otherPrograms } from './other-programs.tsx';
import { ports } from './ports.tsx';
import { reference } from './reference.tsx';
import { shareYourBench } from './sharing.tsx';
import { start } from './start.tsx';
import { watchASharedBench } from './watching.tsx';

const sharedBenches: DocsGroup = {
  name: 'Shared benches',
  sections: [shareYourBench, watchASharedBench, otherPrograms],
};

export const terminalDocument: DocsDocument = {
  title: 'Serial terminal',
  lead: 'Four ports on one timeline: connect, read, find, send, and keep what you learned about a device.',
  groups: [start, ports, howTo, reference, sharedBenches],
};
