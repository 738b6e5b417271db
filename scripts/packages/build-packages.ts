/** Builds the packages that other projects can install. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/web.ts';
import { assemblePackage } from './assemble.ts';
import { emitPackages } from './emit.ts';
import { type PublishedPackage, publishedPackages } from './published.ts';

export interface BuiltPackage extends PublishedPackage {
  /** Folder that `npm pack` and `npm publish` take. */
  readonly path: string;
}

/** @param into Folder inside the repository; each package gets a folder in it. */
export async function buildPackages(into: string): Promise<readonly BuiltPackage[]> {
  const present = publishedPackages.filter(({ folder }) => existsSync(join(root, 'packages', folder, 'package.json')));
  const emitted = join(into, '.emitted');
  await emitPackages(
    present.map(({ folder }) => folder),
    emitted,
  );
  return present.map((published) => {
    const path = join(into, published.folder);
    assemblePackage(published, emitted, path);
    return { ...published, path };
  });
}
