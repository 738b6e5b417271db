import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Files that compression makes smaller. Fonts and videos are compressed by their own formats. */
const COMPRESSIBLE = /\.(?:css|html|js|json|mjs|svg|txt|vtt|webmanifest)$/;

/** Minimum size in bytes. A smaller file gains almost nothing; the many small chunks above it shrink by a half. */
const SMALLEST = 256;

/** Writes `x.br` and `x.gz` beside every file of the build that is worth it, so that the server never compresses. */
export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'wirebench:precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    // Runs after the last file is written, including those copied from `public`.
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name));
      await Promise.all(files.map(({ parentPath, name }) => compress(join(parentPath, name))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length >= SMALLEST) {
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    await Promise.all([
      brotli(content, quality).then((bytes) => writeFile(`${file}.br`, bytes)),
      deflate(content, { level: constants.Z_BEST_COMPRESSION }).then((bytes) => writeFile(`${file}.gz`, bytes)),
    ]);
  }
}
