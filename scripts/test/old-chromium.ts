/**
 * Unpacks Chromium 92, which npm's `@sparticuz/chromium` brings for Linux on x64, for the end-to-end tests in an old browser. It
 * was built for Amazon Linux: the few libraries that a system may lack come with it.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { root } from '../build/web.ts';

const folder = join(root, '.cache', 'chromium-92');

/** Environment variables for Playwright (`e2e/old-browser`), or the reason why there is no such browser. */
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
  // It knows no `--version`: an empty page shows that nothing of the system is missing.
  const { status, stderr } = spawnSync(program, ['--no-sandbox', '--disable-gpu', '--dump-dom', 'about:blank'], {
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'lib') },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return status === 0
    ? { WIREBENCH_OLD_CHROMIUM: program }
    : { missing: `Chromium 92 does not start here: ${stderr.trim().split('\n').at(-1)}` };
}

/** All or nothing: what was broken off is no folder of that name. */
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
