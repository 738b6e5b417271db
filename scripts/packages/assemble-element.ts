/** Puts the package of the flash button together: the files that pages load, and the types of its public interface. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFlashButton } from '../../apps/web/flash-button-build.ts';
import { root } from '../build/web.ts';
import { copyText } from './assemble.ts';
import type { PublishedPackage } from './published.ts';
import { writeManifest } from './write-manifest.ts';

const entry = './dist/flash-button.js';

/** @param into Folder of the package. It is emptied. */
export async function assembleElement(published: PublishedPackage, into: string): Promise<void> {
  rmSync(into, { recursive: true, force: true });
  await writeFlashButton(join(into, 'dist'));
  // A file of types alone is its own declaration.
  cpSync(join(root, 'packages', published.folder, 'src', 'public-types.ts'), join(into, 'dist', 'flash-button.d.ts'));
  copyText(published, into);
  writeFileSync(join(into, 'NOTICE'), readFileSync(join(root, 'NOTICE'), 'utf8'));
  writeManifest(published, into, {
    sideEffects: [entry],
    exports: { '.': { types: './dist/flash-button.d.ts', default: entry } },
    files: ['dist', 'NOTICE'],
  });
}
