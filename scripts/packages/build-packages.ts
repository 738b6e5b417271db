/** Builds the packages that other projects can install. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/web.ts';
import { assemblePackage } from './assemble.ts';
import { assembleElement } from './assemble-element.ts';
import { emitPackages } from './emit.ts';
import { type PublishedPackage, publishedPackages } from './published.ts';

export interface BuiltPackage extends PublishedPackage {
  /** Folder that `npm pack` and `npm publish` take. */
  readonly path: string;
}

/** Returns the packages that have the README which goes into their archive. */
export const readyPackages = (): readonly PublishedPackage[] =>
  publishedPackages.filter(({ folder }) => existsSync(join(root, 'packages', folder, 'README.md')));

/** @param into Folder inside the repository; each package gets a folder in it. */
export async function buildPackages(into: string): Promise<readonly BuiltPackage[]> {
  const present = readyPackages();
  const emitted = join(into, '.emitted');
  await emitPackages(
    present.filter(({ isElement }) => isElement !== true).map(({ folder }) => folder),
    emitted,
  );
  const built: BuiltPackage[] = [];
  for (const published of present) {
    const path = join(into, published.folder);
    if (published.isElement) {
      await assembleElement(published, path);
    } else {
      assemblePackage(published, emitted, path);
    }
    built.push({ ...published, path });
  }
  return built;
}
