/**
 * Unpacks Chromium 92 for the end-to-end tests in an old browser. npm's `@sparticuz/chromium` contains it for Linux
 * on x64. It was built for Amazon Linux and brings the few libraries that a system may lack.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { root } from '../build/web.ts';

const folder = join(root, '.cache', 'chromium-92');

/** Returns environment variables for Playwright (`e2e/old-browser`), or the reason for a missing browser. */
export async function provideOldChromium(): Promise<
  { readonly WIREBENCH_OLD_CHROMIUM: string } | { readonly missing: string }
> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return {
      missing: `Chromium 92 is available for Linux on x64 only; this is ${process.platform} on ${process.arch}`,
    };
  }
  if (!existsSync(folder)) {
    await unpack();
  }
  const program = join(folder, 'chromium');
  // This program has no `--version`. Loading an empty page proves that the system lacks nothing.
  const { status, stderr } = spawnSync(program, ['--no-sandbox', '--disable-gpu', '--dump-dom', 'about:blank'], {
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'lib') },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return status === 0
    ? { WIREBENCH_OLD_CHROMIUM: program }
    : { missing: `Chromium 92 does not start here: ${stderr.trim().split('\n').at(-1)}` };
}

/** Unpacks into another folder and renames it at the end, so that an aborted attempt leaves no partial `folder`. */
async function unpack(): Promise<void> {
  const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', 'bin');
  const unfinished = `${folder}-unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  for (const name of ['chromium', 'aws.tar', 'swiftshader.tar']) {
    const file = join(unfinished, name);
    await pipeline(createReadStream(join(packed, `${name}.br`)), createBrotliDecompress(), createWriteStream(file));
    if (name.endsWith('.tar')) {
      spawnSync('tar', ['-xf', file, '-C', unfinished], { stdio: 'inherit' });
      rmSync(file);
    }
  }
  chmodSync(join(unfinished, 'chromium'), 0o755);
  renameSync(unfinished, folder);
}
