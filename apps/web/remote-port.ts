/**
 * Builds `/remote-port.mjs`, the port of a shared bench for other programs (apps/remote-port), as one file for Node. While developing it is built
 * when somebody asks for it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { bundleProgram } from './bundle-script.ts';

const source = join(import.meta.dirname, '..', 'remote-port', 'src', 'main.ts');
const program = 'remote-port.mjs';

export function remotePort(): Plugin {
  let folder = '';
  return {
    name: 'wirebench:remote-port',
    configResolved({ root, build: { outDir } }) {
      folder = resolve(root, outDir);
    },
    // Before everything is compressed.
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        await writeFile(join(folder, program), await buildRemotePort());
      },
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${program}`, (_request, response, next) => {
        buildRemotePort().then((code) => response.setHeader('content-type', 'text/javascript').end(code), next);
      });
    },
  };
}

/** The program, with the licence that its only part from elsewhere asks to be kept with it. */
export async function buildRemotePort(): Promise<string> {
  const ws = dirname(createRequire(source).resolve('ws/package.json'));
  const licence = await readFile(join(ws, 'LICENSE'), 'utf8');
  const head = [
    'Wirebench: a port of a shared bench for other programs. node remote-port.mjs --help',
    'Copyright (c) 2026 The Wirebench authors, MIT License. It contains ws, the WebSocket library for Node:',
    '',
    ...licence.trim().split('\n'),
  ];
  const comment = head.map((line) => `// ${line}`.trimEnd()).join('\n');
  return `${comment}\n\n${await bundleProgram(source)}`;
}
