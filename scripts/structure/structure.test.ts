import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findForbiddenImports } from './arrows.ts';
import { findCircles, findFeatureCircles } from './circles.ts';
import { findClassFaults } from './class-names.ts';
import { findDocumentAccess, findHardwareAccess } from './shape.ts';

const problemsOf = (path: string, text: string) => findForbiddenImports([{ path, text }]).map(({ problem }) => problem);

/** Returns an import of `target`. Assembled here so that the check finds no import in this file's own text. */
const importing = (target: string) => `import { x } from '${target}';`;

const migration = 'apps/server/src/storage/database/migrations/0099-last.ts';

describe('import arrows', () => {
  it.each([
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
      importing('../../espressif/chips/chip-facts.ts'),
    ],
    ['a family of chips that imports another', 'packages/flasher/src/stm32/a.ts', importing('../nordic/b.ts')],
    ['a port that imports the console', 'packages/port/src/a.ts', importing('@wirebench/serial')],
    ['a port that imports the flasher', 'packages/port/src/a.ts', importing('@wirebench/flasher/core')],
    ['the program of a port that imports the console', 'apps/remote-port/src/main.ts', importing('@wirebench/serial')],
    ['a device that imports a port', 'packages/devices/src/esp.ts', importing('@wirebench/port')],
    [
      'a package that reaches into another by path',
      'packages/serial/src/a.ts',
      importing('../../contract/src/index.ts'),
    ],
    ['the server that imports all of the flasher', 'apps/server/src/app.ts', importing('@wirebench/flasher')],
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
    ['a family that imports a file format', 'packages/flasher/src/nordic/a.ts', importing('../images/formats/uf2.ts')],
    ['a test of one family with files of another', 'packages/flasher/src/stm32/a.test.ts', importing('../nordic/b.ts')],
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

describe('circles of imports', () => {
  const file = (path: string, text: string) => ({ path: `apps/web/src/shared/${path}`, text });
  const circlesOf = (...files: { path: string; text: string }[]) => findCircles(files).map(({ problem }) => problem);
  const typeOf = (target: string) => `import type { X } from '${target}';`;

  it('are named with the whole way round, whoever leads to them', () => {
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

  it('are found each on its own', () => {
    const pair = (one: string, other: string) => [
      file(one, importing(`./${other}`)),
      file(other, importing(`./${one}`)),
    ];
    expect(circlesOf(...pair('a.ts', 'b.ts'), ...pair('c.ts', 'd.ts'))).toHaveLength(2);
  });

  it.each([
    ['the server', 'apps/server/src/features'],
    ['a package', 'packages/flasher/src/core'],
  ])('are found in %s', (_part, folder) => {
    const one = { path: `${folder}/one.ts`, text: typeOf('./two.ts') };
    const two = { path: `${folder}/two.ts`, text: typeOf('./one.ts') };
    expect(circlesOf(one, two)).toHaveLength(1);
  });

  it('are none where a worker imports the types of the file that starts it', () => {
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

  it('fails on a planted comment that opens with a clause and names file and line', () => {
    plant('packages/serial/src/rows.ts', `export const a = 1;\n/** ${'What'} rows say. */\nexport const b = 2;\n`);
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain('packages/serial/src/rows.ts: line 2: the comment opens with "What"');
  });
});
