import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** What shrinks. Fonts and videos are compressed by their own formats. */
const COMPRESSIBLE = /\.(?:css|html|js|json|mjs|svg|txt|vtt|webmanifest)$/;

/** Bytes. Below it a compressed copy is hardly smaller; the many small chunks above it shrink by a half. */
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
    // After the last file was written, the ones copied from `public` included.
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
