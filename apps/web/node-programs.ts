/**
 * Builds the programs for Node that are served beside the pages, each as one file: `/wirebench.tgz`, the program
 * `wirebench` (apps/cli), and its parts `serve` and `publish` as programs of their own, `/remote-port.mjs` and
 * `/publish-release.mjs`. The development server builds a program
 * when it is requested. The guide about programs imports the facts of `wirebench.tgz` as `virtual:wirebench-program`.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { builtScripts } from './built-scripts.ts';
import { bundleProgram } from './bundle-script.ts';
import { packProgram, programVersion } from './pack-program.ts';

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
    source: join(project, 'apps', 'cli', 'src', 'serve', 'remote-port.ts'),
    title: 'Wirebench: a port of a shared bench for other programs. node remote-port.mjs --help',
    others: ['ws'],
  },
  'publish-release.mjs': {
    source: join(project, 'apps', 'cli', 'src', 'publish', 'publish-release.ts'),
    title: 'Wirebench: publishes firmware from a build server. node publish-release.mjs --help',
    others: ['zod', 'fflate'],
  },
} as const satisfies Record<string, NodeProgram>;

export type ProgramName = keyof typeof programs;

const programNames = Object.keys(programs) as ProgramName[];

/** The file that npm installs. */
const packedName = 'wirebench.tgz';
const factsId = 'virtual:wirebench-program';

export function nodePrograms(): Plugin {
  let packing: Promise<Uint8Array> | null = null;
  /** Packs once, so that the facts in the guide are those of the served file, also if a source changes. */
  const packed = () => {
    packing ??= packOnce();
    return packing;
  };
  const scripts = builtScripts({
    name: 'wirebench:node-programs',
    async write(folder) {
      await writeFile(join(folder, packedName), await packed());
      for (const name of programNames) {
        await writeFile(join(folder, name), await buildProgram(name));
      }
    },
    read(path) {
      if (path === packedName) {
        return packed();
      }
      const name = programNames.find((program) => program === path);
      return name === undefined ? null : buildProgram(name);
    },
  });
  return {
    ...scripts,
    resolveId: (source) => (source === factsId ? `\0${factsId}` : null),
    async load(id) {
      if (id !== `\0${factsId}`) {
        return null;
      }
      const bytes = await packed();
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const facts = { version: await programVersion(), size: bytes.length, sha256 };
      return `export const program = ${JSON.stringify(facts)};`;
    },
  };
}

async function packOnce(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'wirebench-pack-'));
  try {
    return await readFile(await packProgram(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
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
