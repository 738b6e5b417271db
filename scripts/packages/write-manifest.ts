/** Writes the `package.json` of a package that other projects can install. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf } from './emit.ts';
import type { PublishedPackage } from './published.ts';

/** Fields that depend on how the package is put together. */
export interface OwnFields {
  readonly sideEffects: false | readonly string[];
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly files: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly bundleDependencies?: readonly string[];
}

/** @param into Folder of the package. */
export function writeManifest(
  { folder, description, keywords }: PublishedPackage,
  into: string,
  { sideEffects, exports, ...own }: OwnFields,
): void {
  const manifest = {
    name: `@wirebench/${folder}`,
    version: manifestOf(folder).version,
    description,
    keywords,
    license: 'MIT',
    author: 'The Wirebench authors',
    type: 'module',
    engines: { node: '>=20' },
    sideEffects,
    exports: { ...exports, './package.json': './package.json' },
    ...own,
  };
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
