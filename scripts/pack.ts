/** `npm run pack`: builds `wirebench.tgz`, the program for machines with Node 20 or newer, into `.cache/wirebench`. */
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packProgram } from '../apps/web/pack-program.ts';
import { root } from './build/web.ts';

const file = await packProgram(join(root, '.cache', 'wirebench'));
console.log(`${relative(root, file)}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);
console.log(`npm install -g ./${relative(root, file)}`);
