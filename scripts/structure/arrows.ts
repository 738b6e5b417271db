/**
 * Import rules between parts (docs/architecture.md, "Import rules"). They work on resolved paths. The linter's rules
 * see only specifiers and cannot express "a feature never imports another feature".
 */
import { familyIds } from '@wirebench/boards';
import { importsAndWorkersOf, isTest, type SourceFile } from './source-files.ts';

export interface Finding {
  readonly path: string;
  readonly problem: string;
}

/** Allowed imports of each workspace. Tests may also use the simulated devices and the random inputs. */
const workspaceArrows: Readonly<Record<string, readonly string[]>> = {
  'packages/boards': [],
  'packages/clock': [],
  'packages/contract': ['packages/boards'],
  'packages/port': ['packages/clock'],
  'packages/frames': ['packages/contract'],
  'packages/serial': ['packages/clock', 'packages/frames', 'packages/port'],
  'packages/flash-button': [
    'packages/boards',
    'packages/clock',
    'packages/port',
    'packages/serial',
    'packages/flasher',
    'packages/usb-serial',
  ],
  'packages/flasher': ['packages/boards', 'packages/clock', 'packages/contract', 'packages/port'],
  'packages/lab': ['packages/clock', 'packages/contract', 'packages/port', 'packages/flasher'],
  'packages/remote': ['packages/clock', 'packages/contract', 'packages/port'],
  'packages/rfc2217': ['packages/clock', 'packages/port'],
  'packages/node-port': ['packages/clock', 'packages/port'],
  'packages/usb-serial': ['packages/clock', 'packages/port'],
  'packages/runs': ['packages/clock', 'packages/contract', 'packages/port', 'packages/serial'],
  'packages/symbols': ['packages/flasher', 'packages/port'],
  'packages/devices': ['packages/clock'],
  'packages/test-input': ['packages/devices'],
  'apps/server': ['packages/boards', 'packages/clock', 'packages/contract', 'packages/flasher', 'packages/port'],
  'apps/cli': [
    'packages/boards',
    'packages/clock',
    'packages/contract',
    'packages/flasher',
    'packages/frames',
    'packages/node-port',
    'packages/port',
    'packages/remote',
    'packages/rfc2217',
    'packages/runs',
    'packages/serial',
    'packages/symbols',
  ],
  'apps/web': [
    'packages/boards',
    'packages/clock',
    'packages/contract',
    'packages/frames',
    'packages/port',
    'packages/serial',
    'packages/flasher',
    'packages/lab',
    'packages/remote',
    'packages/runs',
    'packages/symbols',
    'packages/usb-serial',
  ],
  e2e: [
    'packages/boards',
    'packages/clock',
    'packages/contract',
    'packages/devices',
    'packages/flasher',
    'packages/remote',
    'packages/symbols',
    'apps/server',
    'scripts',
  ],
  benchmarks: [
    'packages/boards',
    'packages/clock',
    'packages/contract',
    'packages/frames',
    'packages/port',
    'packages/serial',
    'packages/flasher',
    'packages/lab',
    'packages/node-port',
    'packages/remote',
    'packages/symbols',
    'packages/devices',
    'apps/server',
    'scripts',
  ],
  // The build of the web app also builds the flash button's package.
  scripts: [
    'packages/boards',
    'packages/contract',
    'packages/flasher',
    'packages/symbols',
    'packages/devices',
    'apps/server',
    'apps/web',
  ],
};

/**
 * Additional imports of tests. Ports on another machine and over USB are tested by flashing through them, and the
 * program by a server that serves it.
 */
const testArrows: Readonly<Record<string, readonly string[]>> = {
  'packages/remote': ['packages/flasher'],
  'packages/usb-serial': ['packages/flasher'],
  'apps/cli': ['apps/server', 'apps/web'],
  // The packed program is run on a pseudo-terminal.
  'apps/web': ['packages/node-port'],
  // The contract of native ports runs under other versions of Node.
  scripts: ['packages/node-port'],
};

/**
 * Workspaces that may import a package only through these entries (decision 26). Core dumps share one calculation with
 * firmware files.
 */
const soleEntries: Readonly<Record<string, readonly string[]>> = {
  // The limits of a build and the spellings of yes and no, which the contract and the readers of manifests share.
  'packages/flasher': ['@wirebench/contract/builds', '@wirebench/contract/read-switch'],
  'apps/server': ['@wirebench/flasher/release', '@wirebench/port/given-text'],
  'packages/symbols': ['@wirebench/flasher/crc32', '@wirebench/port/given-text'],
};

/** The only places of the web, the flash button and the program that may import the simulated devices. */
const demoEntry =
  /^(?:apps\/web\/src\/hardware\/(?:demo-device|rp-demo)|apps\/cli\/src\/simulated-boards|packages\/flash-button\/src\/boards\/demo)(\.|\/)/;

/** Layers of the page, outermost first. Each may import only itself and the layers after it. */
const pageLayers = ['entries', 'app', 'pages', 'features', 'workbench', 'protocol', 'hardware', 'shared'];

/** Layers that code of the worker may import. The page starts the worker and exchanges messages of `protocol` with it. */
const workerLayers = ['worker', 'protocol', 'hardware', 'shared'];

/**
 * Files of the page that run `worker/` themselves: in browsers without ports in workers, the page hosts the ports and
 * the crash reader; the line to the file systems starts their worker.
 */
const workerFallback = /^apps\/web\/src\/workbench\/(bench|file-system-line|manifest-loader|crash\/symbol-files)\.ts$/;

function workspaceOf(path: string): string | undefined {
  if (path.startsWith('@wirebench/')) {
    const name = path.split('/')[1];
    return Object.keys(workspaceArrows).find((workspace) => workspace.split('/').at(-1) === name);
  }
  return Object.keys(workspaceArrows).find((workspace) => path.startsWith(`${workspace}/`));
}

function webPlace(path: string): { layer: string; feature: string | undefined } | undefined {
  const [, layer = '', name] = /^apps\/web\/src\/([^/]+)\/([^/]+)/.exec(path) ?? [];
  return pageLayers.includes(layer) || layer === 'worker'
    ? { layer, feature: layer === 'features' ? name : undefined }
    : undefined;
}

function workspaceProblem(file: SourceFile, target: string): string | undefined {
  const from = workspaceOf(file.path);
  const to = workspaceOf(target);
  if (from === undefined || to === undefined || from === to) {
    return undefined;
  }
  const entries = soleEntries[from]?.filter((entry) => workspaceOf(entry) === to) ?? [];
  const isOtherEntry = entries.length > 0 && !entries.includes(target) && !isTest(file.path);
  if (workspaceArrows[from]?.includes(to) && !isOtherEntry) {
    return undefined;
  }
  if (isTest(file.path) && testArrows[from]?.includes(to)) {
    return undefined;
  }
  if (to === 'packages/test-input' && (isTest(file.path) || /^(e2e|benchmarks|scripts)\//.test(file.path))) {
    return undefined;
  }
  const mayUseDevices = to === 'packages/devices' && (isTest(file.path) || demoEntry.test(file.path));
  return mayUseDevices && from !== 'packages/contract' ? undefined : `${from} must not import ${to} (${target})`;
}

function webProblem(file: SourceFile, target: string): string | undefined {
  const from = webPlace(file.path);
  const to = webPlace(target);
  if (from === undefined) {
    return undefined;
  }
  if (from.layer === 'worker' && /^(react|react-dom|@base-ui\/react)(\/|$)/.test(target)) {
    return `the worker has no document (${target})`;
  }
  if (to === undefined) {
    return undefined;
  }
  if (from.layer === 'worker') {
    const isRig = isTest(file.path) && to.layer === 'workbench';
    return isRig || workerLayers.includes(to.layer) ? undefined : `worker must not import ${to.layer} (${target})`;
  }
  if (to.layer === 'worker') {
    const isAllowed = isTest(file.path) || workerFallback.test(file.path);
    return isAllowed ? undefined : `${from.layer} must not import worker (${target})`;
  }
  if (pageLayers.indexOf(to.layer) < pageLayers.indexOf(from.layer)) {
    return `${from.layer} must not import ${to.layer} (${target})`;
  }
  if (from.feature !== undefined && to.feature !== undefined && from.feature !== to.feature) {
    return `feature ${from.feature} must not import feature ${to.feature} (${target})`;
  }
  return undefined;
}

function serverProblem(file: SourceFile, target: string): string | undefined {
  if (!file.path.startsWith('apps/server/src/') || isTest(file.path)) {
    return undefined;
  }
  if (target === 'kysely' && !/\/storage\/|\/identity\/|\.repository\.ts$/.test(file.path)) {
    return 'only repositories and storage know the database (kysely)';
  }
  if (file.path.endsWith('.routes.ts') && /\.repository\.ts$/.test(target)) {
    return `routes must not import repositories (${target})`;
  }
  if (file.path.endsWith('.service.ts') && (target === 'fastify' || /\.routes\.ts$/.test(target))) {
    return `services must not know HTTP (${target})`;
  }
  return undefined;
}

/** Folders of the flasher that all families share: they import none of them. */
const sharedByFamilies = ['packages/flasher/src/core/', 'packages/flasher/src/images/formats/'];

function familyOf(path: string): string | undefined {
  return familyIds.find((family) => path.startsWith(`packages/flasher/src/${family}/`));
}

function familyProblem(file: SourceFile, target: string): string | undefined {
  const from = familyOf(file.path);
  const to = familyOf(target);
  const isShared = sharedByFamilies.some((folder) => file.path.startsWith(folder));
  if (to === undefined || from === to || isTest(file.path) || (from === undefined && !isShared)) {
    return undefined;
  }
  return `${from ?? 'what families share'} must not import the family ${to} (${target})`;
}

/** Migrations of the server's schema, and their frozen copies of other code. */
const migrations = 'apps/server/src/storage/database/migrations/';

/** A released migration must never change its behaviour, so it cannot use code that still changes. */
function migrationProblem(file: SourceFile, target: string): string | undefined {
  if (!file.path.startsWith(migrations) || isTest(file.path)) {
    return undefined;
  }
  const isFixed = /^(kysely$|kysely\/|node:)/.test(target) || target.startsWith(migrations);
  return isFixed ? undefined : `a migration must keep a copy of what it needs from the product (${target})`;
}

/** Returns every forbidden import. */
export function findForbiddenImports(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) =>
    importsAndWorkersOf(file).flatMap((target) => {
      const problems = [
        workspaceProblem(file, target),
        webProblem(file, target),
        serverProblem(file, target),
        familyProblem(file, target),
        migrationProblem(file, target),
      ];
      return problems.filter((problem) => problem !== undefined).map((problem) => ({ path: file.path, problem }));
    }),
  );
}
