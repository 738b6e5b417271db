/** Every error that a package exports says in its name which one it is: logs and reports show nothing else of its class. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isTest, readSources } from './source-files.ts';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

/** How a class is made that takes more than a code, or whose module exports no texts of its codes. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  CodedError: ['CodedError', 'code', { code: 'A sentence.' }],
  CpuFault: ['breakpoint', 0],
  ExpressionError: ['invalid'],
  FlashError: ['cancelled', { what: 'A sentence.', remedy: 'Another.' }],
  TransientError: ['cancelled', 'A detail.'],
};

/** Told apart inside of the package only: outside it is an error of its family like any other. */
const family: Readonly<Record<string, string>> = { TransientError: 'NordicError' };

type ErrorClass = new (...values: readonly unknown[]) => Error;

interface ExportedError {
  readonly name: string;
  readonly make: () => Error;
}

/** The first code in the texts that a module exports; any other word where it exports none. */
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
