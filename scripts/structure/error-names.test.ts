/** Every exported error has its class's name as `name`, because logs and reports show no other trace of the class. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isTest, readSources } from './source-files.ts';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

/** Constructor arguments of classes that take more than a code, or whose module exports no texts. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  BoardError: ['full'],
  CodedError: ['CodedError', 'code', { code: 'A sentence.' }],
  CpuFault: ['breakpoint', 0],
  ExpressionError: ['invalid'],
  ManifestError: ['unreachable'],
  FlashError: ['cancelled', { what: 'A sentence.', remedy: 'Another.' }],
  TransientError: ['cancelled', 'A detail.'],
};

/** Subclasses that only their package distinguishes, with the name that they show outside. */
const family: Readonly<Record<string, string>> = { TransientError: 'NrfError' };

type ErrorClass = new (...values: readonly unknown[]) => Error;

interface ExportedError {
  readonly name: string;
  readonly make: () => Error;
}

/** Returns the first code of a module's exported texts; any other word if it exports none. */
function codeIn(module: Readonly<Record<string, unknown>>): string {
  const [, texts] = Object.entries(module).find(([name]) => /(Failure|Fault)Text$/.test(name)) ?? [];
  return Object.keys(texts ?? {})[0] ?? 'code';
}

async function exportedErrors(): Promise<ExportedError[]> {
  const sources = readSources(packages, /\.ts$/).filter(
    ({ path, text }) => !isTest(path) && /^export class \w+(<.*>)? extends \w*(Error|Fault)\b/m.test(text),
  );
  const found: ExportedError[] = [];
  for (const { path } of sources) {
    const module: Record<string, unknown> = await import(join(packages, path));
    for (const [name, value] of Object.entries(module)) {
      if (typeof value === 'function' && value.prototype instanceof Error) {
        const values = samples[name] ?? [codeIn(module)];
        found.push({ name, make: () => new (value as ErrorClass)(...values) });
      }
    }
  }
  return found;
}

const errors = await exportedErrors();

describe('an exported error', () => {
  it('is found in every package that has some', () => {
    const names = errors.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['StmError', 'EspError', 'LabError', 'RemoteError', 'CoreDumpError']));
    expect(names).toEqual(expect.arrayContaining(['FormulaError', 'SearchQueryError', 'CpuFault', 'NotUnderstood']));
  });

  it.each(errors)('has the name of its class: $name', ({ name, make }) => {
    const error = make();
    expect(error.name).toBe(family[name] ?? name);
    expect(String(error).startsWith(error.name)).toBe(true);
  });
});
