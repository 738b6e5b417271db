/**
 * Builds the programs for Node that are served beside the pages, each as one file: `/remote-port.mjs`, the port of a
 * shared bench for other programs (apps/remote-port), and `/publish-release.mjs`, which publishes firmware
 * (scripts/publish-release.ts). The development server builds a program when it is requested.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { builtScripts } from './built-scripts.ts';
import { bundleProgram } from './bundle-script.ts';

const project = join(import.meta.dirname, '..', '..');

interface NodeProgram {
  /** Path of its source. */
  readonly source: string;
  /** First line of the file: its purpose and its command line. */
  readonly title: string;
  /** Third-party packages in it, whose licences must stay with it. */
  readonly others: readonly string[];
}

/** Programs by the name of the served file. */
const programs = {
  'remote-port.mjs': {
    source: join(project, 'apps', 'remote-port', 'src', 'main.ts'),
    title: 'Wirebench: a port of a shared bench for other programs. node remote-port.mjs --help',
    others: ['ws'],
  },
  'publish-release.mjs': {
    source: join(project, 'scripts', 'publish-release.ts'),
    title: 'Wirebench: publishes firmware from a build server. node publish-release.mjs --help',
    others: ['zod', 'fflate'],
  },
} as const satisfies Record<string, NodeProgram>;

export type ProgramName = keyof typeof programs;

const programNames = Object.keys(programs) as ProgramName[];

export function nodePrograms(): Plugin {
  return builtScripts({
    name: 'wirebench:node-programs',
    async write(folder) {
      for (const name of programNames) {
        await writeFile(join(folder, name), await buildProgram(name));
      }
    },
    read(path) {
      const name = programNames.find((program) => program === path);
      return name === undefined ? null : buildProgram(name);
    },
  });
}

/** Returns the program as one file, headed by the licences of its packages. */
export async function buildProgram(name: ProgramName): Promise<string> {
  const { source, title, others }: NodeProgram = programs[name];
  const head = [
    title,
    'Copyright (c) 2026 The Wirebench authors, MIT License. It contains:',
    ...(await Promise.all(others.map((other) => licenceOf(other, source)))).flat(),
  ];
  const comment = head.map((line) => `// ${line}`.trimEnd()).join('\n');
  return `${comment}\n\n${await bundleProgram(source)}`;
}

async function licenceOf(name: string, source: string): Promise<string[]> {
  const folder = dirname(createRequire(source).resolve(`${name}/package.json`));
  const licence = await readFile(join(folder, 'LICENSE'), 'utf8');
  return ['', `${name}:`, '', ...licence.trim().split('\n')];
}
