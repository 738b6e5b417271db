/**
 * `npm run backup -- <file>`: everything that an embedded start keeps, in one archive, while the server runs. What to do with
 * it is in docs/operating.md.
 */
import { backUp } from '@wirebench/server';
import { runOnFile } from './operations/run-on-file.ts';

await runOnFile('npm run backup -- <file>', backUp, 'Backed up');
