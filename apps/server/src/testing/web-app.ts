/** A minimal built web app, for tests of serving files and pages. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const webAppFiles = {
  'index.html': '<!doctype html><title>App</title>',
  'sign-in-callback.html': '<!doctype html><title>Sign-in callback</title>',
  'sign-out-callback.html': '<!doctype html><title>Sign-out callback</title>',
  'silent-check-sso.html': '<!doctype html><title>Silent check</title>',
  'theme.js': '/* theme */',
  'sw.js': '/* service worker */',
  'remote-port.mjs': '/* program */',
  'publish-release.mjs': '/* another program */',
  'wirebench.tgz': 'packed program',
  'flash-button.js': '/* flash button */',
  'flash-button/esp-B1ab2Cd3.js': '/* chunk */',
  'manifest.webmanifest': '{}',
  'assets/main-B1ab2Cd3.js': '/* plain */',
  'assets/main-B1ab2Cd3.js.br': 'brotli bytes',
  'assets/main-B1ab2Cd3.js.gz': 'gzip bytes',
} as const;

/** @param more Files that only some tests need, by name. */
export async function writeWebApp(folder: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const [name, content] of Object.entries({ ...webAppFiles, ...more })) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
