/**
 * Packs the program `wirebench`: its source as JavaScript for Node 20, and the library of native ports with its built
 * binaries as a bundled dependency, so that it installs without a registry, a compiler and scripts.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { bundleProgramParts } from './bundle-script.ts';

const root = join(import.meta.dirname, '..', '..');
const cli = join(root, 'apps', 'cli');
const source = join(cli, 'src', 'main.ts');
const nodePort = join(root, 'packages', 'node-port', 'package.json');
const contract = join(root, 'packages', 'contract', 'package.json');
const devices = join(root, 'packages', 'devices', 'package.json');
const flasher = join(root, 'packages', 'flasher', 'package.json');

/** The package with native code. */
const native = '@serialport/bindings-cpp';

/** The SDK for agents, whose dependencies are in the bundle as far as it uses them. */
const agentSdk = '@modelcontextprotocol/sdk';
const sdkManifest = join(installedFolder(source, agentSdk), 'package.json');
const ajvManifest = join(installedFolder(sdkManifest, 'ajv'), 'package.json');

/** Packages in the bundle, and a file that imports them. */
const bundled = [
  ['commander', source],
  [agentSdk, source],
  ['@hono/node-server', sdkManifest],
  ['zod-to-json-schema', sdkManifest],
  ['ajv', sdkManifest],
  ['ajv-formats', sdkManifest],
  ['fast-deep-equal', ajvManifest],
  ['fast-uri', ajvManifest],
  ['json-schema-traverse', ajvManifest],
  ['ws', source],
  ['zod', contract],
  ['@noble/curves', devices],
  ['@noble/hashes', devices],
  ['cborg', devices],
  ['fflate', devices],
  ['esptool-js', flasher],
] as const;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const readManifest = async (path: string): Promise<Manifest> => JSON.parse(await readFile(path, 'utf8'));

/**
 * Builds and packs the program.
 *
 * @param folder Work folder, which is emptied first.
 * @returns Path of `wirebench.tgz`.
 */
export async function packProgram(folder: string): Promise<string> {
  const content = join(folder, 'package');
  await rm(folder, { recursive: true, force: true });
  await mkdir(content, { recursive: true });
  await bundleProgramParts(source, content, [native]);
  await copyNative(content);
  await writeFile(join(content, 'wirebench.1'), run(content, process.execPath, [join(content, 'main.js'), 'man']));
  await writeFile(join(content, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
  await cp(join(root, 'LICENSE'), join(content, 'LICENSE'));
  await cp(join(cli, 'README.md'), join(content, 'README.md'));
  const licences = await Promise.all(bundled.map(([name, importer]) => licenceOf(name, importer)));
  await writeFile(join(content, 'LICENSES-OF-PARTS.txt'), licences.join('\n'));
  const [packed] = JSON.parse(runNpm(content, ['pack', '--json', '--pack-destination', folder])) as [
    { readonly filename: string },
  ];
  const file = join(folder, 'wirebench.tgz');
  await rename(join(folder, packed.filename), file);
  return file;
}

/** Returns the version of the program, as its package states it. */
export const programVersion = async (): Promise<string> => (await readManifest(join(cli, 'package.json'))).version;

async function manifest() {
  const { dependencies = {} } = await readManifest(nodePort);
  return {
    name: 'wirebench',
    version: await programVersion(),
    description: 'Serial boards in a shell and in a pipeline.',
    license: 'MIT',
    type: 'module',
    bin: { wirebench: 'main.js' },
    man: 'wirebench.1',
    files: ['main.js', 'parts', 'wirebench.1', 'LICENSES-OF-PARTS.txt'],
    engines: { node: '>=20' },
    dependencies: { [native]: dependencies[native] },
    bundleDependencies: [native],
  };
}

/** Copies the native package and its dependencies as they are installed here, without what only a compiler needs. */
async function copyNative(content: string): Promise<void> {
  const waiting = [installedFolder(nodePort, native)];
  for (const from of waiting) {
    const to = join(content, relative(root, from));
    const isNative = existsSync(join(from, 'binding.gyp'));
    const skipped = ['node_modules', ...(isNative ? ['src', 'binding.gyp'] : [])].map((name) => join(from, name));
    await cp(from, to, {
      recursive: true,
      filter: (path) =>
        !skipped.includes(path) && !path.includes(`${sep}prebuilds${sep}android-`) && !path.endsWith('.d.ts'),
    });
    const {
      scripts: _scripts,
      gypfile: _gypfile,
      ...kept
    } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'));
    // The binaries are built: nothing has to run at the installation.
    await writeFile(join(to, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`);
    const { dependencies = {} } = await readManifest(join(from, 'package.json'));
    for (const name of Object.keys(dependencies).filter((one) => one !== 'node-addon-api')) {
      const found = installedFolder(join(from, 'package.json'), name);
      if (!waiting.includes(found)) {
        waiting.push(found);
      }
    }
  }
}

/** Returns the folder of a package as Node finds it from a file, also if the package exports no manifest. */
function installedFolder(importer: string, name: string): string {
  const folders = createRequire(importer).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')));
  if (found === undefined) {
    throw new Error(`${name} is not installed.`);
  }
  return found;
}

async function licenceOf(name: string, importer: string): Promise<string> {
  const text = await readFile(join(installedFolder(importer, name), 'LICENSE'), 'utf8');
  return `${name}:\n\n${text.trim()}\n`;
}

/** Runs the npm that runs the build, or the one of the path. */
function runNpm(folder: string, args: readonly string[]): string {
  const npm = process.env['npm_execpath'];
  return npm?.endsWith('.js')
    ? run(folder, process.execPath, [npm, ...args])
    : run(folder, 'npm', args, process.platform === 'win32');
}

function run(folder: string, program: string, args: readonly string[], shell = false): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', shell });
  if (status !== 0) {
    throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
  }
  return stdout;
}
