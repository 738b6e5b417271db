/**
 * Puts a publishable package together from compiled modules: only what its entries reach, with the modules of other
 * workspace packages inside and third-party packages bundled, so that its archive installs alone
 * (docs/decisions/0061).
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { root } from '../build/web.ts';
import { manifestOf, publicEntries } from './emit.ts';
import type { PublishedPackage } from './published.ts';
import { writeManifest } from './write-manifest.ts';

const scope = '@wirebench/';
/** Packages of types that declarations refer to by global names, with the pattern of these names. */
const globalTypes = { '@types/w3c-web-serial': /\bSerial(?:Port|Options|Output|Input)\w*\b/ };
/** Imports, re-exports and dynamic imports of a compiled file; the specifier is the third group. */
const importForm = /(\bfrom\s*|\bimport\s*\(\s*|^import\s*)(['"])([^'"\n]+)\2(, \{ with: \{ type: 'json' \} \})?/gm;
/** Part of the browsers' library, with which the sources are compiled, that Node 20 lacks. */
const missingInNode = /\bURL\.parse\(/;
/** README from here on is about the sources, which are not in the archive. */
const ownPart = /^## In the repository$[\s\S]*/m;

/**
 * @param emitted Folder that `emitPackages` wrote.
 * @param into Folder of the package. It is emptied.
 * @throws Error for an import that cannot work outside of the repository.
 */
export function assemblePackage(published: PublishedPackage, emitted: string, into: string): void {
  const { folder, added = {} } = published;
  const source = join(root, 'packages', folder);
  rmSync(into, { recursive: true, force: true });
  const entries = new Map([
    ...publicEntries(folder).map(([entry, file]) => [entry, emittedPath(folder, file)] as const),
    ...Object.entries(added).map(([entry, name]) => [entry, workspaceModule(name)] as const),
  ]);
  const bundled = withDependencies(new ModuleCopy(emitted, into).copyAll([...entries.values()]));
  copyText(published, into);
  if (existsSync(join(source, 'example'))) {
    cpSync(join(source, 'example'), join(into, 'example'), { recursive: true });
  }
  const dependencies = Object.fromEntries(bundled.map((name) => [name, `^${installed(name).version}`]));
  for (const name of bundled) {
    cpSync(installed(name).folder, join(into, 'node_modules', name), { recursive: true, dereference: true });
  }
  writeManifest(published, into, {
    sideEffects: false,
    exports: {
      ...Object.fromEntries([...entries].map(([entry, path]) => [entry, exportOf(path)])),
      ...(existsSync(join(into, 'example')) ? { './example/*': './example/*' } : {}),
    },
    files: ['lib', 'example', 'NOTICE'],
    ...(bundled.length > 0 ? { dependencies, bundleDependencies: bundled } : {}),
  });
}

const exportOf = (path: string) => ({ types: `./lib/${path}.d.ts`, default: `./lib/${path}.js` });

/** Returns the path of a compiled module without its extension, such as `port/bytes` for `port/src/bytes.ts`. */
const emittedPath = (folder: string, file: string) =>
  posix.join(folder, file.replace(/^\.\/src\//, '').replace(/\.ts$/, ''));

/** @throws Error if the workspace package has no such entry. */
function workspaceModule(specifier: string): string {
  const [, folder = '', entry = ''] = /^@wirebench\/([^/]+)(.*)$/.exec(specifier) ?? [];
  const file = manifestOf(folder).exports[`.${entry}`];
  if (file === undefined) {
    throw new Error(`There is no entry ${specifier}.`);
  }
  return emittedPath(folder, file);
}

interface InstalledPackage {
  readonly folder: string;
  readonly version: string;
  /** Names of the packages that it needs. */
  readonly needs: readonly string[];
}

function installed(name: string): InstalledPackage {
  const folder = join(root, 'node_modules', name);
  const { version, dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { folder, version, needs: Object.keys(dependencies) };
}

/** Returns the packages with all that they need, sorted. */
function withDependencies(names: readonly string[]): readonly string[] {
  const all = new Set(names);
  // Grows while it is read.
  for (const name of all) {
    for (const needed of installed(name).needs) {
      all.add(needed);
    }
  }
  return [...all].sort();
}

/** Returns the package of a specifier: `@scope/name` of `@scope/name/part.js`. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Copies compiled modules with everything that they import. */
class ModuleCopy {
  readonly #emitted: string;
  readonly #lib: string;
  readonly #modules = new Set<string>();
  readonly #packages = new Set<string>();

  constructor(emitted: string, into: string) {
    this.#emitted = emitted;
    this.#lib = join(into, 'lib');
  }

  /** Returns the third-party packages that the modules need. */
  copyAll(entries: readonly string[]): readonly string[] {
    for (const entry of entries) {
      this.#modules.add(entry);
    }
    // Grows while it is read.
    for (const module of this.#modules) {
      this.#copy(module, '.js');
      this.#copy(module, '.d.ts');
    }
    return [...this.#packages].sort();
  }

  #copy(module: string, extension: string): void {
    const [folder = '', ...rest] = module.split('/');
    let text = readFileSync(join(this.#emitted, folder, 'src', `${rest.join('/')}${extension}`), 'utf8');
    text = text.replaceAll(
      importForm,
      (whole, keyword: string, _quote, specifier: string, isData: string | undefined) =>
        isData === undefined
          ? `${keyword}'${this.#target(module, specifier)}'`
          : whole.replace(/'.*/s, `'${this.#data(module, specifier)}'`),
    );
    if (missingInNode.test(text)) {
      throw new Error(`${module}.ts uses ${missingInNode.exec(text)?.[0]}, which Node 20 lacks.`);
    }
    if (extension === '.d.ts') {
      text = this.#references(text) + text;
    }
    write(join(this.#lib, `${module}${extension}`), text);
  }

  /** Returns the specifier for an import in the copy of `module`. */
  #target(module: string, specifier: string): string {
    if (specifier.startsWith('.') || specifier.startsWith(scope)) {
      const target = specifier.startsWith('.')
        ? posix.join(posix.dirname(module), specifier.replace(/\.[jt]s$/, ''))
        : workspaceModule(specifier);
      this.#modules.add(target);
      return relativeTo(module, `${target}.js`);
    }
    if (!specifier.startsWith('node:')) {
      this.#packages.add(packageOf(specifier));
    }
    return specifier;
  }

  /**
   * Writes a package's JSON file as a module, because older bundlers and browsers import no JSON. Returns its
   * specifier.
   */
  #data(module: string, specifier: string): string {
    const [name = ''] = specifier.split('/');
    const require = createRequire(join(root, 'packages', module.split('/')[0] ?? '', 'package.json'));
    const json = readFileSync(require.resolve(specifier), 'utf8').trim();
    const target = posix.join('data', name, posix.basename(specifier, '.json'));
    write(join(this.#lib, `${target}.js`), `export default ${json};\n`);
    cpSync(join(installed(name).folder, 'LICENSE'), join(this.#lib, 'data', name, 'LICENSE'));
    return relativeTo(module, `${target}.js`);
  }

  #references(declarations: string): string {
    return Object.entries(globalTypes)
      .filter(([, names]) => names.test(declarations))
      .map(([name]) => {
        this.#packages.add(name);
        return `/// <reference types="${name.replace('@types/', '')}" />\n`;
      })
      .join('');
  }
}

function relativeTo(module: string, target: string): string {
  const path = posix.relative(posix.dirname(module), target);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Copies the licence, the notices and the README without what is about the repository. */
export function copyText({ folder }: PublishedPackage, into: string): void {
  const readme = readFileSync(join(root, 'packages', folder, 'README.md'), 'utf8').replace(ownPart, '');
  write(join(into, 'README.md'), `${readme.trim()}\n`);
  const stray = /\]\((?!https?:|#)([^)]*)\)/.exec(readme);
  if (stray !== null) {
    throw new Error(`packages/${folder}/README.md links to ${stray[1]}, which is not in the archive.`);
  }
  cpSync(join(root, 'LICENSE'), join(into, 'LICENSE'));
  const stubs = readFileSync(join(root, 'NOTICE'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('esp-flasher-stub '));
  if (existsSync(join(into, 'lib', 'data'))) {
    write(join(into, 'NOTICE'), `This package contains:\n\n${stubs.join('\n')}\n`);
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
