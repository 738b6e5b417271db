/** `npm run build:packages`: builds the packages for other projects into `.cache/packages`. */
import { join, relative } from 'node:path';
import { root } from './build/web.ts';
import { buildPackages } from './packages/build-packages.ts';

for (const { path } of await buildPackages(join(root, '.cache', 'packages'))) {
  console.log(`npm pack ./${relative(root, path)}`);
}
