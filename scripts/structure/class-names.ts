/**
 * Class names of the web's style sheets: components use only existing classes, and every class is used. For access by
 * value (`styles[tone]`) every quoted string and key of the sources counts as used.
 */
import { dirname, posix } from 'node:path';
import type { Finding } from './arrows.ts';
import { isTest, type SourceFile } from './source-files.ts';

const isModule = (path: string) => path.endsWith('.module.css');

/** Classes that third-party components use. */
const ofLibraries = new Set(['lucide']);

/** Returns every missing or unused class name. */
export function findClassFaults(sheets: readonly SourceFile[], files: readonly SourceFile[]): Finding[] {
  const sources = files.filter(({ path }) => path.startsWith('apps/web/src/') && !isTest(path));
  const values = new Set(sources.flatMap(({ text }) => valuesIn(text)));
  return [...moduleFaults(sheets, sources, values), ...globalFaults(sheets, sources, values)];
}

function moduleFaults(
  sheets: readonly SourceFile[],
  sources: readonly SourceFile[],
  values: ReadonlySet<string>,
): Finding[] {
  const defined = new Map(sheets.filter(({ path }) => isModule(path)).map(({ path, text }) => [path, classesOf(text)]));
  const used = new Map<string, Set<string>>();
  const missing = sources.flatMap((source) =>
    moduleImports(source).flatMap(({ sheet, names, byValue }) => {
      const sheetUses = used.get(sheet) ?? new Set();
      used.set(sheet, sheetUses);
      const classes = defined.get(sheet) ?? new Set();
      for (const name of byValue ? [...names, ...values] : names) {
        sheetUses.add(name);
      }
      return names
        .filter((name) => !classes.has(name))
        .map((name) => ({ path: source.path, problem: `${sheet} has no class "${name}"` }));
    }),
  );
  const unused = [...defined].flatMap(([path, classes]) =>
    [...classes]
      .filter((name) => used.get(path)?.has(name) !== true)
      .map((name) => ({ path, problem: `nothing uses the class "${name}"` })),
  );
  return [...missing, ...unused];
}

function globalFaults(
  sheets: readonly SourceFile[],
  sources: readonly SourceFile[],
  values: ReadonlySet<string>,
): Finding[] {
  const globals = sheets
    .filter(({ path }) => !isModule(path))
    .flatMap(({ path, text }) => [...classesOf(text)].map((name) => ({ path, name })));
  const known = new Set(globals.map(({ name }) => name));
  const missing = sources.flatMap(({ path, text }) =>
    globalUses(text)
      .filter((name) => !known.has(name))
      .map((name) => ({ path, problem: `no global style sheet has a class "${name}"` })),
  );
  const unused = globals
    .filter(({ name }) => !values.has(name) && !ofLibraries.has(name))
    .map(({ path, name }) => ({ path, problem: `nothing uses the class "${name}"` }));
  return [...missing, ...unused];
}

/** Returns the classes in a sheet's selectors, without those in `:global(…)`. */
function classesOf(css: string): Set<string> {
  const rules = css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/:global\([^)]*\)/g, '');
  const selectors = [...rules.matchAll(/([^{};]*)\{/g)].map(([, head = '']) => head.trim());
  const ours = selectors.filter((head) => !head.startsWith('@')).join();
  return new Set([...ours.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name = '']) => name));
}

interface ModuleImport {
  readonly sheet: string;
  readonly names: readonly string[];
  /** True: some classes are accessed by a value. */
  readonly byValue: boolean;
}

function moduleImports({ path, text }: SourceFile): ModuleImport[] {
  return [...text.matchAll(/\bimport (\w+) from '([^']+\.module\.css)'/g)].map(([, binding, specifier = '']) => ({
    sheet: posix.join(dirname(path), specifier),
    names: [...text.matchAll(new RegExp(String.raw`\b${binding}\['([^']+)'\]`, 'g'))].map(([, name = '']) => name),
    byValue: new RegExp(String.raw`\b${binding}\[[^']`).test(text),
  }));
}

const globalForms = [/\bclassName="([^"]*)"/g, /\bclassName=\{`([^`]*)`\}/g, /\bclassNames\(\s*'([^']*)'/g];

function globalUses(text: string): string[] {
  return globalForms
    .flatMap((form) => [...text.matchAll(form)].map(([, value = '']) => value.replaceAll(/\$\{[^}]*\}/g, ' ')))
    .flatMap(words);
}

function valuesIn(text: string): string[] {
  return [...text.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`|\b(\w+):/g)].flatMap(([, ...parts]) =>
    parts.flatMap((part) => words(part ?? '')),
  );
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
