/**
 * The contract of every `SerialPort` on native ports, bundled as the program `wirebench` is and outside of Vitest, under
 * the versions of Node that the program has to run on. Vitest itself runs the same cases under the Node of the project.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { firstUnlessLong } from '@wirebench/test-input';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgramParts } from '../../apps/web/bundle-script.ts';
import { canCall, socatCall } from '../../packages/devices/src/testing/pseudo-terminal.ts';
import { nativeCases } from '../../packages/node-port/src/testing/native-rig.ts';
import { root } from '../build/web.ts';
import { findNode, nodeVersions } from './node-versions.ts';

const source = join(root, 'packages', 'node-port', 'src', 'testing', 'contract-program.ts');
/** Inside of the repository, where the library with native code is found. */
const folder = join(root, '.cache', 'native-port-contract');

describe.runIf(canCall(socatCall))('contract of native ports', () => {
  beforeAll(() => bundleProgramParts(source, folder, ['@serialport/bindings-cpp']), 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  for (const version of firstUnlessLong(nodeVersions)) {
    const node = findNode(version);
    it.runIf(node !== null)(`is fulfilled under Node ${version}`, { timeout: 120_000 }, () => {
      const program = join(folder, 'contract-program.js');
      const { status, stdout, stderr } = spawnSync(node ?? '', [program], { encoding: 'utf8', timeout: 110_000 });
      const results = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(results).toEqual(nativeCases.map(({ name }) => ({ name, failure: null })));
      expect([status, stderr]).toEqual([0, '']);
    });
  }
});
