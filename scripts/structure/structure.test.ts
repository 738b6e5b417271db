import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findForbiddenImports } from './arrows.ts';
import { findHardwareAccess, findLongFiles } from './shape.ts';

const problemsOf = (path: string, text: string) => findForbiddenImports([{ path, text }]).map(({ problem }) => problem);

/** An import of `target`, put together here so that this file's own text holds no import that the check would read. */
const importing = (target: string) => `import { x } from '${target}';`;

describe('import arrows', () => {
  it.each([
    ['a device that imports the flasher', 'packages/devices/src/esp.ts', importing('@wirebench/flasher')],
    ['a device that imports the engine', 'packages/devices/src/esp.ts', importing('@wirebench/serial')],
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
    ['a route with SQL', 'apps/server/src/features/feedback/feedback.routes.ts', importing('kysely')],
    ['a service with HTTP', 'apps/server/src/features/feedback/feedback.service.ts', importing('fastify')],
  ])('refuse %s', (_fault, path, text) => {
    expect(problemsOf(path, text)).toHaveLength(1);
  });

  it.each([
    ['a feature that imports the workbench', 'apps/web/src/features/home/a.ts', importing('../../workbench/b.ts')],
    ['a feature that imports its own folder', 'apps/web/src/features/home/a.ts', importing('./b.ts')],
    ['the demo entry that imports devices', 'apps/web/src/hardware/demo-device.ts', importing('@wirebench/devices')],
    ['a test that imports devices', 'packages/serial/src/a.test.ts', importing('@wirebench/devices')],
    ['a comment that names another feature', 'apps/web/src/features/home/a.ts', `// ${importing('../feedback/b.ts')}`],
    ['a repository with SQL', 'apps/server/src/features/feedback/feedback.repository.ts', importing('kysely')],
  ])('allow %s', (_case, path, text) => {
    expect(problemsOf(path, text)).toEqual([]);
  });
});

describe('file shape', () => {
  it('refuses a file of 401 lines and allows one of 400', () => {
    expect(findLongFiles([{ path: 'a.ts', text: 'x\n'.repeat(401) }])).toHaveLength(1);
    expect(findLongFiles([{ path: 'a.ts', text: 'x\n'.repeat(400) }])).toEqual([]);
  });

  it('refuses navigator.serial outside of hardware', () => {
    const text = 'await navigator.serial.getPorts();';
    expect(findHardwareAccess([{ path: 'apps/web/src/workbench/a.ts', text }])).toHaveLength(1);
    expect(findHardwareAccess([{ path: 'apps/web/src/hardware/a.ts', text }])).toEqual([]);
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
});
