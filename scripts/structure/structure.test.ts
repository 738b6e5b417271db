import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findForbiddenImports } from './arrows.ts';
import { findCircles, findFeatureCircles } from './circles.ts';
import { findClassFaults } from './class-names.ts';
import { findDependencyFaults } from './dependencies.ts';
import { findDeadFilters } from './links.ts';
import { findRandomSources } from './random-sources.ts';
import {
  findDatedWaits,
  findDocumentAccess,
  findFamilyComparisons,
  findHardwareAccess,
  findModuleMocks,
} from './shape.ts';
import { findSmallFiles } from './small-files.ts';

const problemsOf = (path: string, text: string) => findForbiddenImports([{ path, text }]).map(({ problem }) => problem);

/** Returns an import of `target`. Assembled here so that the check finds no import in this file's own text. */
const importing = (target: string) => `import { x } from '${target}';`;

const migration = 'apps/server/src/storage/database/migrations/0099-last.ts';

describe('import arrows', () => {
  it.each([
    ['the families that import the clock', 'packages/boards/src/a.ts', importing('@wirebench/clock')],
    ['the families that import the contract', 'packages/boards/src/a.ts', importing('@wirebench/contract')],
    ['a device that imports the flasher', 'packages/devices/src/esp.ts', importing('@wirebench/flasher')],
    ['a device that imports the engine', 'packages/devices/src/esp.ts', importing('@wirebench/serial')],
    ['the flasher that imports the console', 'packages/flasher/src/byte-port.ts', importing('@wirebench/serial')],
    ['a shared bench that imports the console', 'packages/remote/src/host/a.ts', importing('@wirebench/serial')],
    ['a served port that imports the console', 'packages/rfc2217/src/a.ts', importing('@wirebench/serial')],
    ['the bench instrument that imports the console', 'packages/lab/src/runner/a.ts', importing('@wirebench/serial')],
    [
      'a test of the flasher that imports the console',
      'packages/flasher/src/a.test.ts',
      importing('@wirebench/serial'),
    ],
    [
      'a file format that imports a family of chips',
      'packages/flasher/src/images/formats/uf2.ts',
      importing('../../esp/chips/chip-facts.ts'),
    ],
    ['a family of chips that imports another', 'packages/flasher/src/stm/a.ts', importing('../nrf/b.ts')],
    ['a port that imports the console', 'packages/port/src/a.ts', importing('@wirebench/serial')],
    ['a port that imports the flasher', 'packages/port/src/a.ts', importing('@wirebench/flasher/core')],
    ['the program that imports the web app', 'apps/cli/src/main.ts', importing('../../web/src/a.ts')],
    ['a device that imports a port', 'packages/devices/src/esp.ts', importing('@wirebench/port')],
    [
      'a package that reaches into another by path',
      'packages/serial/src/a.ts',
      importing('../../contract/src/index.ts'),
    ],
    ['the server that imports all of the flasher', 'apps/server/src/app.ts', importing('@wirebench/flasher')],
    ['the flasher that imports all of the contract', 'packages/flasher/src/a.ts', importing('@wirebench/contract')],
    ['the server that imports the engine', 'apps/server/src/app.ts', importing('@wirebench/serial')],
    ['a page that imports the app', 'apps/web/src/pages/home.tsx', importing('../app/app.tsx')],
    ['shared that imports a feature', 'apps/web/src/shared/api/a.ts', importing('../../features/home/b.ts')],
    ['hardware that imports the workbench', 'apps/web/src/hardware/a.ts', importing('../workbench/b.ts')],
    ['a feature that imports another', 'apps/web/src/features/home/a.ts', importing('../feedback/b.ts')],
    ['a lazy import against an arrow', 'apps/web/src/features/home/a.ts', `const x = import('${'../feedback/b.ts'}');`],
    ['a type import against an arrow', 'apps/web/src/shared/a/a.ts', `import type { X } from '${'../../app/b.ts'}';`],
    ['a re-export against an arrow', 'apps/web/src/shared/a/a.ts', `export { x } from '${'../../app/b.ts'}';`],
    ['devices in the web outside of the demo entry', 'apps/web/src/hardware/a.ts', importing('@wirebench/devices')],
    ['a worker of a higher layer', 'apps/web/src/shared/a/a.ts', `new URL('${'../../app/w.ts'}', import.meta.url)`],
    ['a page that imports the worker', 'apps/web/src/features/lab/a.ts', importing('../../worker/lab/b.ts')],
    ['a type of the worker in a page', 'apps/web/src/workbench/a.ts', `import type { X } from '${'../worker/a.ts'}';`],
    ['the protocol that imports the worker', 'apps/web/src/protocol/a.ts', importing('../worker/lab/b.ts')],
    ['the protocol that imports a page', 'apps/web/src/protocol/a.ts', importing('../workbench/b.ts')],
    ['a worker that imports a page', 'apps/web/src/worker/lab/a.ts', importing('../../workbench/b.ts')],
    ['a worker that imports a feature', 'apps/web/src/worker/lab/a.ts', importing('../../features/lab/b.ts')],
    ['a worker with React', 'apps/web/src/worker/lab/a.ts', importing('react')],
    ["a worker with React's renderer", 'apps/web/src/worker/lab/a.ts', importing('react-dom/client')],
    [
      'a worker that is started elsewhere',
      'apps/web/src/features/a/a.ts',
      `new URL('${'../../worker/w.ts'}', import.meta.url)`,
    ],
    ['a route with SQL', 'apps/server/src/features/feedback/feedback.routes.ts', importing('kysely')],
    ['a service with HTTP', 'apps/server/src/features/feedback/feedback.service.ts', importing('fastify')],
    ['a migration that imports a feature', migration, importing('../../../features/jkits/search-text.ts')],
    ['a migration that imports its own database', migration, importing('../dialect.ts')],
    ['a migration that imports a type of the tables', migration, `import type { X } from '${'../tables.ts'}';`],
    ['a migration that imports the contract', migration, importing('@wirebench/contract')],
  ])('refuse %s', (_fault, path, text) => {
    expect(problemsOf(path, text)).toHaveLength(1);
  });

  it.each([
    ['the contract that imports the families', 'packages/contract/src/a.ts', importing('@wirebench/boards')],
    ['a feature that imports the workbench', 'apps/web/src/features/home/a.ts', importing('../../workbench/b.ts')],
    ['a feature that imports its own folder', 'apps/web/src/features/home/a.ts', importing('./b.ts')],
    ['a page that imports the protocol', 'apps/web/src/features/lab/a.ts', importing('../../protocol/b.ts')],
    ['a worker that imports the protocol', 'apps/web/src/worker/lab/a.ts', importing('../../protocol/b.ts')],
    ['a worker that opens ports', 'apps/web/src/worker/bench/a.ts', importing('../../hardware/b.ts')],
    [
      'the page that starts the worker',
      'apps/web/src/workbench/bench.ts',
      `new URL('${'../worker/w.ts'}', import.meta.url)`,
    ],
    ['a test of a page with the worker', 'apps/web/src/pages/lab/a.test.ts', importing('../../worker/lab/b.ts')],
    ['the demo entry that imports devices', 'apps/web/src/hardware/demo-device.ts', importing('@wirebench/devices')],
    ['a test that imports devices', 'packages/serial/src/a.test.ts', importing('@wirebench/devices')],
    ['the flasher that imports a port', 'packages/flasher/src/byte-port.ts', importing('@wirebench/port')],
    ['a family that imports a file format', 'packages/flasher/src/nrf/a.ts', importing('../images/formats/uf2.ts')],
    ['a test of one family with files of another', 'packages/flasher/src/stm/a.test.ts', importing('../nrf/b.ts')],
    ['a test that imports a fake port', 'packages/remote/src/a.test.ts', importing('@wirebench/port/testing')],
    ['a comment that names another feature', 'apps/web/src/features/home/a.ts', `// ${importing('../feedback/b.ts')}`],
    ['a repository with SQL', 'apps/server/src/features/feedback/feedback.repository.ts', importing('kysely')],
    ['a migration that imports the database library', migration, importing('kysely')],
    ['a migration that imports from Node', migration, importing('node:crypto')],
    ['a migration that imports a copy beside it', migration, importing('./frozen-dialect.ts')],
    ['a test of a migration that imports a feature', migration.replace('.ts', '.test.ts'), importing('../database.ts')],
  ])('allow %s', (_case, path, text) => {
    expect(problemsOf(path, text)).toEqual([]);
  });
});

describe('access to the document', () => {
  const problemsIn = (path: string, text: string) => findDocumentAccess([{ path, text }]).map(({ problem }) => problem);

  it.each(['document.title', 'window.setTimeout(run)', "window['name']"])('is refused in the worker: %s', (code) => {
    expect(problemsIn('apps/web/src/worker/lab/a.ts', `const x = ${code};`)).toEqual([
      'the worker has no document and no window',
    ]);
  });

  it('is allowed in pages, in tests, in comments and in members of that name', () => {
    expect(problemsIn('apps/web/src/workbench/a.ts', 'document.title;')).toEqual([]);
    expect(problemsIn('apps/web/src/worker/lab/a.test.ts', 'document.title;')).toEqual([]);
    expect(problemsIn('apps/web/src/worker/lab/a.ts', '// document.title\nsearch.window.start;')).toEqual([]);
  });
});

describe('dates of the clock', () => {
  const problemsIn = (path: string, text: string) => findDatedWaits([{ path, text }]).map(({ problem }) => problem);

  it.each([
    'new Date(clock.now())',
    'new Date(this.#clock.now() - day)',
    'x.fromEpochMilliseconds(Math.floor(clock.now()))',
  ])('must not be made of the time for waits: %s', (code) => {
    expect(problemsIn('apps/server/src/a.ts', `const at = ${code};`)).toEqual([
      'a date comes from clock.wallTime(), never from clock.now()',
    ]);
  });

  it('may be made of the wall time, and the time for waits may be used for waits', () => {
    expect(problemsIn('apps/server/src/a.ts', 'new Date(clock.wallTime());\nconst end = clock.now() + 5;')).toEqual([]);
  });
});

describe('comparisons with a family', () => {
  const problemsIn = (path: string, text: string) =>
    findFamilyComparisons([{ path, text }]).map(({ problem }) => problem);
  const shared = 'apps/web/src/features/releases/a.ts';
  const quoted = (id: string) => `'${id}'`;

  it.each([
    `if (family === ${quoted('avr')}) {}`,
    `if (family !== ${quoted('avr')}) {}`,
    `if (${quoted('avr')} === family) {}`,
    `switch (family) { case ${quoted('avr')}: }`,
    `if (family ===\n  "avr") {}`,
  ])('is refused in shared code: %s', (text) => {
    expect(problemsIn(shared, text)).toEqual([
      'compares with the family "avr": ask a field of its row (packages/boards/src/family-traits.ts)',
    ]);
  });

  it.each(['esp', 'stm', 'nrf', 'avr', 'rp'])('is refused with %s', (id) => {
    expect(problemsIn(shared, `family === ${quoted(id)}`)).toHaveLength(1);
  });

  it.each([
    ['esp', 'packages/flasher/src/esp/a.ts'],
    ['nrf', 'apps/web/src/features/flasher/families/nrf/a.tsx'],
    ['stm', 'apps/web/src/protocol/stm-types.ts'],
    ['avr', 'packages/flash-button/src/boards/avr.ts'],
  ])('is allowed with %s in a folder or file of its own: %s', (id, path) => {
    const text = `family === ${quoted(id)}`;
    expect(problemsIn(path, text)).toEqual([]);
    expect(problemsIn(path, `family === ${quoted(id === 'esp' ? 'stm' : 'esp')}`)).toHaveLength(1);
  });

  it('is allowed in tests, in comments, and with other words', () => {
    const text = `family === ${quoted('esp')}`;
    expect(problemsIn('apps/web/src/features/releases/a.test.ts', text)).toEqual([]);
    expect(problemsIn('apps/web/src/features/releases/testing/a.ts', text)).toEqual([]);
    expect(problemsIn(shared, `// ${text}\n/* ${text} */ chip === ${quoted('esp32')}; row = { esp: 1 };`)).toEqual([]);
  });
});

describe('circles of imports', () => {
  const file = (path: string, text: string) => ({ path: `apps/web/src/shared/${path}`, text });
  const circlesOf = (...files: { path: string; text: string }[]) => findCircles(files).map(({ problem }) => problem);
  const typeOf = (target: string) => `import type { X } from '${target}';`;

  it('are reported with the full path, whichever file is read first', () => {
    const files = [file('a.ts', importing('./b.ts')), file('b.ts', importing('./c/c.ts'))];
    const back = file('c/c.ts', importing('../a.ts'));
    const before = file('0.ts', importing('./a.ts'));
    expect(circlesOf(before, ...files, back)).toEqual([
      'circle of imports: apps/web/src/shared/a.ts → apps/web/src/shared/b.ts → apps/web/src/shared/c/c.ts → apps/web/src/shared/a.ts',
    ]);
    expect(circlesOf(before, ...files, file('c/c.ts', ''))).toEqual([]);
  });

  it.each([
    ['types alone', typeOf('./b.ts'), typeOf('./a.ts')],
    ['a type one way', importing('./b.ts'), typeOf('./a.ts')],
    ['a lazy import one way', `await import('${'./b.ts'}')`, importing('./a.ts')],
    ['re-exports', `export { x } from '${'./b.ts'}';`, `export * from '${'./a.ts'}';`],
  ])('are found through %s', (_kind, there, back) => {
    expect(circlesOf(file('a.ts', there), file('b.ts', back))).toHaveLength(1);
  });

  it('are reported separately', () => {
    const pair = (one: string, other: string) => [
      file(one, importing(`./${other}`)),
      file(other, importing(`./${one}`)),
    ];
    expect(circlesOf(...pair('a.ts', 'b.ts'), ...pair('c.ts', 'd.ts'))).toHaveLength(2);
  });

  it.each([
    ['the server', 'apps/server/src/features'],
    ['the shell', 'apps/cli/src/content'],
    ['a package', 'packages/flasher/src/core'],
  ])('are found in %s', (_part, folder) => {
    const one = { path: `${folder}/one.ts`, text: typeOf('./two.ts') };
    const two = { path: `${folder}/two.ts`, text: typeOf('./one.ts') };
    expect(circlesOf(one, two)).toHaveLength(1);
  });

  it('exclude a worker that imports the types of the file that starts it', () => {
    const starting = `new Worker(new URL('${'./a.worker.ts'}', import.meta.url))`;
    expect(circlesOf(file('a.ts', starting), file('a.worker.ts', typeOf('./a.ts')))).toEqual([]);
  });
});

describe("circles of the server's features", () => {
  const file = (path: string, text: string) => ({ path: `apps/server/src/features/${path}`, text });
  const circlesOf = (...files: { path: string; text: string }[]) => findFeatureCircles(files);
  const typeOf = (target: string) => `import type { X } from '${target}';`;

  it('are found where no file imports itself back', () => {
    const files = [
      file('accounts/a.ts', importing('../tokens/b.ts')),
      file('tokens/c.ts', typeOf('../crashes/d.ts')),
      file('crashes/e.ts', importing('../accounts/f.ts')),
    ];
    expect(circlesOf(...files)).toEqual([
      {
        path: 'apps/server/src/features/accounts/a.ts',
        problem: "circle of the server's features: accounts → tokens → crashes → accounts",
      },
    ]);
    expect(circlesOf(...files.slice(1))).toEqual([]);
  });

  it('are found through folders inside a feature', () => {
    const one = file('jkits/library/a.ts', typeOf('../../accounts/b.ts'));
    expect(circlesOf(one, file('accounts/b.ts', typeOf('../jkits/search.ts')))).toHaveLength(1);
  });

  it('are allowed in tests', () => {
    const one = file('accounts/a.test.ts', importing('../tokens/b.ts'));
    expect(circlesOf(one, file('tokens/b.ts', importing('../accounts/a.ts')))).toEqual([]);
  });
});

describe('file shape', () => {
  it('refuses navigator.serial outside of hardware', () => {
    const text = 'await navigator.serial.getPorts();';
    expect(findHardwareAccess([{ path: 'apps/web/src/workbench/a.ts', text }])).toHaveLength(1);
    expect(findHardwareAccess([{ path: 'apps/web/src/hardware/a.ts', text }])).toEqual([]);
  });
});

/** Assembled here so that the check finds no mock in this file's own text. */
const mocking = `vi${'.mock'}('./a.ts', () => ({}));`;

describe('mocks of modules', () => {
  const allowed = 'apps/web/src/shared/testing/register-stores.ts';

  it.each([mocking, mocking.replace('mock', 'doMock')])('are refused outside of the listed files: %s', (text) => {
    expect(findModuleMocks([{ path: 'apps/web/src/app/header.test.tsx', text }])).toHaveLength(1);
    expect(findModuleMocks([{ path: 'packages/serial/src/a.test.ts', text }])).toHaveLength(1);
    expect(findModuleMocks([{ path: allowed, text }])).toEqual([]);
  });

  it('are told apart from functions of a test', () => {
    const text = "vi.mocked(open).mockReset(); vi.fn().mockReturnValue(1); vi.spyOn(console, 'warn');";
    expect(findModuleMocks([{ path: 'apps/web/src/app/header.test.tsx', text }])).toEqual([]);
  });

  it('lose their exception with the last call', () => {
    expect(findModuleMocks([{ path: allowed, text: '' }])).toMatchObject([{ path: allowed }]);
  });
});

describe('random inputs of tests', () => {
  const sourcesIn = (text: string, path = 'packages/serial/src/a.test.ts') => findRandomSources([{ path, text }]);
  const crypto = (names: string) => `import { ${names} } from 'node:crypto';`;

  it.each([
    ['Math.random', 'const at = Math.random();'],
    ['Math.random in brackets', `const at = Math['random']();`],
    ['Math.random by another name', 'const { random: roll } = Math;'],
    ['bytes of the system', `${crypto('randomBytes')} const file = randomBytes(4);`],
    ['bytes of the whole module', `import * as crypto from 'crypto'; const file = crypto.randomBytes(4);`],
    ['numbers of the system', `${crypto('randomInt')} const at = randomInt(4);`],
    ['filled arrays', 'crypto.getRandomValues(new Uint8Array(4));'],
    ['a seed of fast-check', 'fc.assert(holds, { seed: 1 });'],
    ['a seed beside a number of runs', 'const settings = { numRuns: 4, seed };'],
    ['settings of fast-check', 'fc.configureGlobal({});'],
    ['a seed from the date', 'const board = new Board({ seed: Date.now() });'],
    ['a generator by the process', 'const numbers = createRandom(process.pid, "");'],
    ['a generator of its own', 'state = (Math.imul(state, 1_664_525) + 1) >>> 0;'],
    ['a shift register', 'state ^= state << 13;'],
  ])('refuse %s', (_source, text) => {
    expect(sourcesIn(text)).toHaveLength(1);
    expect(sourcesIn(text, 'e2e/support/a.ts')).toHaveLength(1);
    expect(sourcesIn(text, 'apps/server/src/testing/a.ts')).toHaveLength(1);
    expect(sourcesIn(text, 'packages/serial/src/a.ts')).toEqual([]);
  });

  it.each([
    ['ids', `${crypto('randomUUID')} const id = randomUUID();`],
    ['names', `${crypto('randomBytes')} const name = randomBytes(4).toString('hex');`],
    ['the one source', `import { randomBytes } from '@wirebench/test-input'; const file = randomBytes(4);`],
    ['seeds of a simulated board', 'const board = new Board({ seed: 4 });'],
    ['dates', 'const until = Date.now() + 1_000;'],
  ])('allow %s', (_source, text) => {
    expect(sourcesIn(text)).toEqual([]);
  });

  it('lose their exception with the last source', () => {
    const path = 'apps/server/src/testing/free-port.ts';
    expect(sourcesIn(`${crypto('randomInt')} const port = randomInt(4);`, path)).toEqual([]);
    expect(sourcesIn('', path)).toHaveLength(1);
  });
});

describe('class names', () => {
  const sheet = (text: string, path = 'a.module.css') => ({ path: `apps/web/src/shared/ui/${path}`, text });
  const component = (text: string) => ({
    path: 'apps/web/src/shared/ui/a.tsx',
    text: `import styles from './a.module.css';\n${text}`,
  });
  const problems = (css: string, tsx: string, globals = '') =>
    findClassFaults([sheet(css), sheet(globals, 'global.css')], [component(tsx)]).map(({ problem }) => problem);

  it.each([
    ['a class that the module has not', '.a {}', "styles['a'] styles['b']", '', 'has no class "b"'],
    ['a class of a module that nothing uses', '.a {} .b:hover {}', "styles['a']", '', 'nothing uses the class "b"'],
    ['a class that only a comment names', '.a {} /* .b {} */', "styles['a'] styles['b']", '', 'has no class "b"'],
    ['a class in a media query', '@media (--phone) { .b {} }', '', '', 'nothing uses the class "b"'],
    ['a global class that no sheet has', '', '<p className="small" />', '', 'has a class "small"'],
    ['a global class in a template', '', '<p className={`small`} />', '', 'has a class "small"'],
    ['a global class that nothing uses', '', '', '.small {}', 'nothing uses the class "small"'],
    [
      'a value that no source has',
      '.a {} .b {}',
      "const tones = ['a']; styles[tone]",
      '',
      'nothing uses the class "b"',
    ],
  ])('refuse %s', (_fault, css, tsx, globals, problem) => {
    expect(problems(css, tsx, globals)).toEqual([expect.stringContaining(problem)]);
  });

  it('allow classes that are used by name, by value and from a global sheet', () => {
    const css = '.a:is(:hover, :focus) > .b::after { content: ".c"; width: 1.5px } .a :global(.d) { top: 0 }';
    const tsx = "const tone = 'b'; classNames('small', styles['a'], styles[tone]);";
    expect(problems(css, tsx, '.small {} svg.lucide {}')).toEqual([]);
  });
});

describe('filters of Vitest in Markdown', () => {
  const faults = (command: string) =>
    findDeadFilters(
      [{ path: 'docs/a.md', text: `Then run \`${command}\`.` }],
      ['packages/port/src/line.test.ts', 'apps/web/src/pages/home/home.test.tsx'],
    ).map(({ problem }) => problem);

  it('are accepted if each selects a test, by folder or by name', () => {
    expect(faults('npx vitest run packages/port apps/web/src/pages/home/home.test.tsx home.test -t "a b"')).toEqual([]);
    expect(faults('npx vitest run <folder>')).toEqual([]);
  });

  it('are refused if one of several selects none', () => {
    expect(faults('npx vitest run packages/port src/home')).toEqual(['the filter selects no test: src/home']);
  });
});

describe('dependencies', () => {
  const faults = (versions: Readonly<Record<string, string>>, lines: string) =>
    findDependencyFaults([{ path: 'package.json', text: JSON.stringify({ devDependencies: versions }) }], {
      path: 'docs/dependencies.md',
      text: lines,
    }).map(({ path, problem }) => `${path}: ${problem}`);
  const line = '| `vite`, `vitest` | builds and tests | |';

  it.each(['^8.3.8', '~8.3.8', '8', '>=8.3.8', 'latest'])('must have an exact version, so %s is refused', (version) => {
    expect(faults({ vite: version, vitest: '5.1.2' }, line)).toEqual([
      `package.json: the version of vite is not exact: ${version}`,
    ]);
  });

  it('each need a line in the page, and the page describes no other', () => {
    expect(faults({ vite: '8.3.8', vitest: '5.1.2' }, line)).toEqual([]);
    expect(faults({ vite: '8.3.8', knip: '6.42.0', '@wirebench/port': '*' }, line)).toEqual([
      'docs/dependencies.md: no line describes the dependency knip',
      'docs/dependencies.md: no manifest names the package vitest',
    ]);
  });
});

describe('the check as a command', () => {
  let root: string;
  const plant = (path: string, text: string) => {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const check = () =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../check-structure.ts'), root], { encoding: 'utf8' });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'structure-'));
    plant('packages/serial/src/index.ts', importing('./x.ts'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('passes a tree that keeps the arrows', () => {
    expect(check()).toMatchObject({ status: 0 });
  });

  it('fails on a planted import and names the file', () => {
    plant('packages/devices/src/index.ts', importing('@wirebench/flasher'));
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain('packages/devices/src/index.ts: packages/devices must not import packages/flasher');
  });

  it('fails on a flasher that imports the console', () => {
    plant('packages/flasher/src/byte-port.ts', importing('@wirebench/serial'));
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain('packages/flasher/src/byte-port.ts: packages/flasher must not import packages/serial');
  });

  it('fails on a planted test that replaces a module and names the file', () => {
    plant('apps/web/src/app/header.test.tsx', mocking);
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain('apps/web/src/app/header.test.tsx: vi.mock replaces a module');
  });

  it('fails on a planted circle of type imports', () => {
    plant('apps/web/src/shared/ui/menu.tsx', importing('./menu-popup.tsx'));
    plant('apps/web/src/shared/ui/menu-popup.tsx', `import type { X } from '${'./menu.tsx'}';`);
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain('circle of imports: apps/web/src/shared/ui/menu-popup.tsx → ');
  });

  it("fails on a planted circle of the server's features", () => {
    plant('apps/server/src/features/accounts/accounts.ts', `import type { X } from '${'../tokens/tokens.ts'}';`);
    plant('apps/server/src/features/tokens/guard.ts', `import type { Y } from '${'../accounts/names.ts'}';`);
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain("accounts.ts: circle of the server's features: accounts → tokens → accounts");
  });

  it('fails on a planted migration that imports the product', () => {
    plant(migration, importing('../../../features/jkits/search-text.ts'));
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain(`${migration}: a migration must keep a copy of what it needs`);
  });

  it('fails on a planted comparison with a family and names the file', () => {
    plant('packages/serial/src/guess.ts', `export const isArduino = (family: string) => family === ${"'avr'"};\n`);
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain('packages/serial/src/guess.ts: compares with the family "avr"');
  });

  it('fails on a planted class that nothing uses and names the sheet', () => {
    plant('apps/web/src/app/page.module.css', '.main { top: 0 }');
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain('apps/web/src/app/page.module.css: nothing uses the class "main"');
  });

  it('fails on a planted link to a file that is missing, and accepts other links', () => {
    plant('docs/a.md', '[one](b.md#part) [two](#here) [three](https://example.org) [four](../packages/serial)');
    plant('docs/b.md', '');
    expect(check()).toMatchObject({ status: 0 });
    plant('docs/b.md', '[gone](../packages/serial/src/port.ts#open)');
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain('docs/b.md: the link leads to no file: ../packages/serial/src/port.ts');
  });

  it('fails on a planted path to a file that is gone, and accepts ends of paths and examples', () => {
    plant('packages/serial/src/ports/port-form.ts', importing('../index.ts'));
    plant('packages/serial/src/ports/port-form.test.ts', importing('./port-form.ts'));
    plant(
      'docs/a.md',
      '`packages/serial/src`, `ports/port-form.ts`, `port-form.ts`, `protocol/xyz-types.ts`, `src/*.ts`, `a/b`',
    );
    expect(check()).toMatchObject({ status: 0 });
    plant(
      'docs/a.md',
      'See `packages/serial/src/gone.ts`, and run `npx vitest run packages/serial/src packages/gone`.',
    );
    plant('docs/b.md', 'In `port-view.ts` and `ports/gone/`:\n```\npackages/gone.ts\n```\n');
    const { status, stderr } = check();
    expect(status).toBe(1);
    const found = stderr.split('\n').filter((line) => line !== '');
    expect(found).toEqual([
      'docs/a.md: the path leads to no file: packages/serial/src/gone.ts',
      'docs/a.md: the path leads to no file: packages/gone',
      'docs/b.md: the path leads to no file: port-view.ts',
      'docs/b.md: the path leads to no file: ports/gone/',
      'docs/a.md: the filter selects no test: packages/gone',
    ]);
  });

  it('fails on a planted comment that opens with a clause and names file and line', () => {
    plant('packages/serial/src/rows.ts', `export const a = 1;\n/** ${'What'} rows say. */\nexport const b = 2;\n`);
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain('packages/serial/src/rows.ts: line 2: the comment opens with "What"');
  });
});

describe('a small file with one reader', () => {
  const lines = (count: number) => 'const x = 1;\n'.repeat(count);
  const small = { path: 'packages/serial/src/plot/a.ts', text: lines(99) };
  const reader = { path: 'packages/serial/src/plot/b.ts', text: importing('./a.ts') };
  const problems = (...files: { readonly path: string; readonly text: string }[]) =>
    findSmallFiles(files, [
      { path: 'packages/serial/package.json', text: '{ "exports": { "./c": "./src/plot/c.ts" } }' },
    ]);

  it('is refused', () => {
    expect(problems(small, reader)).toEqual([
      { path: small.path, problem: `has 99 lines and one reader: it stands in ${reader.path}` },
    ]);
  });

  it.each([
    ['a hundred lines', [{ ...small, text: lines(100) }, reader]],
    ['a second reader', [small, reader, { ...reader, path: 'packages/serial/src/plot/d.ts' }]],
    ['a reader in another folder', [small, { path: 'packages/serial/src/b.ts', text: importing('./plot/a.ts') }]],
    ['a reader that is long enough', [small, { ...reader, text: reader.text + lines(302) }]],
    ['a style sheet', [{ ...small, text: importing('./a.module.css') }, reader]],
    ['a load on demand', [small, { ...reader, text: `await ${'import'}('./a.ts');` }]],
    [
      'a name in the manifest',
      [
        { ...small, path: 'packages/serial/src/plot/c.ts' },
        { ...reader, text: importing('./c.ts') },
      ],
    ],
    [
      'a layer of the server',
      [
        { ...small, path: 'apps/server/src/f/a.routes.ts' },
        { path: 'apps/server/src/f/b.ts', text: importing('./a.routes.ts') },
      ],
    ],
  ])('keeps its name with %s', (_, files) => {
    expect(problems(...files)).toEqual([]);
  });

  it('is refused if only tests read it, too', () => {
    expect(problems(small, reader, { ...reader, path: 'packages/serial/src/plot/a.test.ts' })).toHaveLength(1);
  });
});
