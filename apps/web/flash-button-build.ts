/**
 * Builds `<wirebench-flash>` (packages/flash-button): `flash-button.js`, whose address is stable, and the chunks that
 * it imports from the folder beside it. Pages of any origin load them, so they share nothing with the app's chunks.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'vite';
import { builtScripts } from './built-scripts.ts';
import { scriptTarget } from './bundle-script.ts';

const sources = join(import.meta.dirname, '..', '..', 'packages', 'flash-button', 'src');

/** Name of the entry, and of the folder of its chunks. */
const ENTRY = 'flash-button.js';
const CHUNKS = 'flash-button';

/** Import of the entry that is fetched by a click, as its source has it. */
const session = './session/flash-session.ts';

interface BuiltFile {
  /** Path relative to the folder of the entry. */
  readonly path: string;
  readonly code: string;
  readonly isEntry: boolean;
}

/** Returns the entry first, then its chunks. The entry imports none of them before a click. */
async function buildFlashButton(): Promise<readonly BuiltFile[]> {
  const chunks = await bundle(join(sources, session), { entryFileNames: `${CHUNKS}/[name]-[hash:8].js` });
  const path = chunks.find(({ isEntry }) => isEntry)?.path;
  const [entry] = await bundle(join(sources, ENTRY.replace(/js$/, 'ts')), {
    entryFileNames: ENTRY,
    external: (specifier) => specifier.endsWith(session.slice(1)),
    paths: () => `./${path}`,
  });
  if (entry === undefined) {
    throw new Error('The flash button could not be built.');
  }
  return [entry, ...chunks.map((file) => ({ ...file, isEntry: false }))];
}

interface Bundling {
  readonly entryFileNames: string;
  readonly external?: (specifier: string) => boolean;
  /** Returns the address of an external import. */
  readonly paths?: () => string;
}

/** Library mode leaves out the helper that preloads chunks by <link>: each file imports from its own address. */
async function bundle(entry: string, { external, ...output }: Bundling): Promise<readonly BuiltFile[]> {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: scriptTarget,
      modulePreload: false,
      lib: { entry, formats: ['es'] },
      rolldownOptions: {
        ...(external !== undefined && { external }),
        output: { ...output, chunkFileNames: `${CHUNKS}/[name]-[hash:8].js`, minify: true },
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) => ('output' in one ? one.output : []));
  return outputs.flatMap((file) =>
    file.type === 'chunk' ? [{ path: file.fileName, code: file.code, isEntry: file.isEntry }] : [],
  );
}

export function flashButton(): Plugin {
  let built: Promise<readonly BuiltFile[]> | null = null;
  return builtScripts({
    name: 'wirebench:flash-button',
    write: writeFlashButton,
    read(path) {
      if (path !== ENTRY && !path.startsWith(`${CHUNKS}/`)) {
        return null;
      }
      // Chunks belong to the entry that was requested last.
      built = path === ENTRY || built === null ? buildFlashButton() : built;
      return built.then((files) => files.find((file) => file.path === path)?.code);
    },
  });
}

/** Writes the entry and its chunks into a folder. */
export async function writeFlashButton(folder: string): Promise<void> {
  for (const { path, code } of await buildFlashButton()) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code);
  }
}
