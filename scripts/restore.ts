/** `npm run restore -- <file>`: puts a backup into an empty DATA_DIR, after checking every byte of it. */
import { restore } from '@wirebench/server';
import { runOnFile } from './operations/run-on-file.ts';

await runOnFile('npm run restore -- <file>', restore, 'Restored');
