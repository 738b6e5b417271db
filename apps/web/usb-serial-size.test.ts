import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, it } from 'vitest';
import { scriptTarget } from './bundle-script.ts';

/** Largest size of the drivers for USB in bytes, compressed. A phone loads them when it is asked for a port. */
const BUDGET = 12_000;

it('bundles the serial ports over WebUSB into 12 kB', async () => {
  const input = fileURLToPath(new URL('../../packages/usb-serial/src/index.ts', import.meta.url));
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: scriptTarget,
      modulePreload: false,
      rolldownOptions: { input, preserveEntrySignatures: 'strict' },
    },
  });
  const [chunk] = 'output' in built ? built.output : [];
  const code = chunk?.type === 'chunk' ? chunk.code : '';
  expect(code).toContain('The nearest rate that it has is');
  expect(gzipSync(code).length).toBeLessThanOrEqual(BUDGET);
  expect(brotliCompressSync(code).length).toBeLessThanOrEqual(BUDGET);
});
