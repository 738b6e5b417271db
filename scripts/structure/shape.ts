/**
 * Rules for single files: access to the browser's hardware interfaces and to the document, dates of the clock,
 * comparisons with families of chips, and mocks of modules.
 */
import { familyIds } from '@wirebench/boards';
import type { Finding } from './arrows.ts';
import { isTest, type SourceFile } from './source-files.ts';

/** Finds web sources outside of `hardware` that use `navigator.serial` or `navigator.usb`. */
export function findHardwareAccess(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    const elsewhere = path.startsWith('apps/web/src/') && !path.startsWith('apps/web/src/hardware/') && !isTest(path);
    return elsewhere && /\bnavigator\s*\.\s*(serial|usb)\b/.test(text)
      ? [{ path, problem: 'only hardware touches navigator.serial and navigator.usb' }]
      : [];
  });
}

/** Finds sources of the worker that use `document` or `window`: a dedicated worker has neither. */
export function findDocumentAccess(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    const isWorker = path.startsWith('apps/web/src/worker/') && !isTest(path);
    const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\/\/.*$/gm, '');
    return isWorker && /(?<![.\w])(document|window)\s*[.[]/.test(code)
      ? [{ path, problem: 'the worker has no document and no window' }]
      : [];
  });
}

/** Finds dates made of the time for waits, which does not follow corrections of the system's date. */
export function findDatedWaits(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    const isDated = /\bnew Date\([^;\n]*\b[cC]lock\.now\(\)|\bfromEpochMilliseconds\([^;\n]*\b[cC]lock\.now\(\)/.test(
      text,
    );
    return isDated && !isTest(path)
      ? [{ path, problem: 'a date comes from clock.wallTime(), never from clock.now()' }]
      : [];
  });
}

const spelling = familyIds.join('|');

const familyComparison = new RegExp(
  `(?:[!=]==?\\s*|\\bcase\\s+)['"](${spelling})['"]|['"](${spelling})['"]\\s*[!=]==?`,
  'g',
);

/**
 * Finds comparisons with the id of a family outside of folders and files that are named after it. Fields of the family's
 * rows (`packages/boards`) or a table with an entry for each family take their place.
 */
export function findFamilyComparisons(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    if (isTest(path) || !/^(apps|packages|scripts)\//.test(path)) {
      return [];
    }
    const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\/\/.*$/gm, '');
    const own = path.split('/').flatMap((part) => ownerOf(part) ?? []);
    const named = [...code.matchAll(familyComparison)].map(([, after = '', before = '']) => after || before);
    const foreign = named.filter((name) => !own.some((family) => family === name));
    return [...new Set(foreign)].map((name) => ({
      path,
      problem: `compares with the family "${name}": ask a field of its row (packages/boards/src/family-traits.ts)`,
    }));
  });
}

/** Returns the family that a folder or a file is named after: `esp`, `esp-types.ts`, `nrf.ts`. */
function ownerOf(name: string): (typeof familyIds)[number] | undefined {
  return familyIds.find((family) => new RegExp(`^${family}([-.]|$)`).test(name));
}

/** Files that may replace modules, each with the reason. */
const moduleMocks: Readonly<Record<string, string>> = {
  'apps/web/src/shared/testing/register-stores.ts':
    'Stores are private to their files, and a component test resets all of them.',
  'apps/web/src/shared/session/sign-in.dom.test.ts':
    'The product loads the provider and the keeper on demand, and starts the keeper once per page.',
};

/** Finds files that replace modules. A test passes in what it replaces, or uses a fake of a `testing` folder. */
export function findModuleMocks(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    const isMocking = /\bvi\s*\.\s*(?:mock|doMock)\s*\(/.test(text);
    if (moduleMocks[path] !== undefined) {
      return isMocking ? [] : [{ path, problem: 'calls no vi.mock, so its exception in shape.ts is not needed' }];
    }
    return isMocking
      ? [{ path, problem: 'vi.mock replaces a module: pass the part in, or use a fake of testing/' }]
      : [];
  });
}
