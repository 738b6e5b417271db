/** Guide about the programs for a shell: its texts, and the facts of the file that this server offers. */

import { program } from 'virtual:wirebench-program';
import { releasePath } from '@wirebench/boards';
import { demoReleaseId } from '@wirebench/contract/constants';
import type { DocsDocument } from '../docs-model.ts';
import { guide } from './guide.md?guide';

export const programsDocument: DocsDocument = {
  ...guide,
  values: {
    'demo.release': releasePath('version', demoReleaseId),
    'program.sha256': program.sha256,
    'program.size': program.size.toLocaleString('en'),
    'program.version': program.version,
    // The build runs this for the index of the search. Where it will be served is not known then.
    server: import.meta.env.SSR ? 'https://…' : location.origin,
  },
  rows: {},
};
