/**
 * Tests `/remote-port.mjs` as built: one file with no other file beside it, on a Node that has only what Node 20 has.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeSerialPort } from '@wirebench/port/testing';
import { temporaryFolder } from '@wirebench/server/testing/temporary-folder.ts';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../../web/node-programs.ts';
import { nodeTwenty } from './testing/node-twenty.ts';
import { startProgram } from './testing/program-process.ts';
import { shareBench } from './testing/shared-bench.ts';

describe('remote-port.mjs', { timeout: 120_000 }, () => {
  it('needs nothing but Node 20, and serves the port of a shared bench', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'remote-port.mjs');
    const code = await buildProgram('remote-port.mjs');
    writeFileSync(file, code);
    // The file must contain the licence of each package that is bundled into it.
    expect(code).toMatch(/^\/\/ Wirebench[^\n]*\n(?:\/\/[^\n]*\n)*\/\/ Copyright \(c\) 2011 Einar Otto Stangvik/);
    const wanted = [...code.matchAll(/(?:from |__require\(|import )"([^"]+)"/g)].map(([, name = '']) => name);
    expect(wanted).toContain('node:net');
    // The bundle must need built-in modules only. `ws` also requires `bufferutil` and `utf-8-validate` unless the
    // build disables both.
    const builtIn = /^(?:node:.*|buffer|crypto|events|https?|net|querystring|stream|tls|url|util|zlib)$/;
    expect(wanted.filter((name) => !builtIn.test(name))).toEqual([]);

    await using help = startProgram({ file, flags: nodeTwenty, args: ['--help'] });
    expect(await help.exited).toBe(0);
    expect(help.text()).toContain('node remote-port.mjs [link]');

    const device = new FakeSerialPort();
    await using bench = await shareBench(() => device);
    bench.host.setPort(1, { name: 'Board', info: {}, present: true, settings: null });
    await using program = startProgram({ file, flags: nodeTwenty, args: [bench.link, '--listen', '0'] });
    bench.host.setRight(await bench.guest(), 1, 'use');
    await program.until(/Port 1 is ready for programs on this computer/);
    program.interrupt();
    expect(await program.exited).toBe(0);
  });
});
