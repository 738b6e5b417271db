/**
 * The release that comes with the product: one public project with a fixed share id, marked as a demo, so that a link flashes on
 * the first day. Flashers refuse to write it to a real chip.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@wirebench/clock';
import type { Spool } from '../../storage/blobs/spool.ts';
import type { SpooledFile } from '../../storage/blobs/spooled-file.ts';
import { DatabaseUnavailableError } from '../../storage/database/database-failure.ts';
import type { BytesService } from './bytes.service.ts';
import type { DemoRepository } from './demo.repository.ts';
import { demoFiles } from './demo-files.ts';

export interface DemoReleaseOptions {
  readonly repository: DemoRepository;
  readonly bytes: BytesService;
  readonly spool: Spool;
  readonly clock: Clock;
}

const texts = {
  name: 'Wirebench demo',
  publisher: 'wirebench',
  projectDescription: 'A release to try the flasher with. It runs on the demo device only.',
  version: '1.0.0',
  versionDescription:
    'Open this release in the flasher, choose the **demo device** and flash. Then the monitor opens and the board says hello.',
};

/** Makes the demo, or replaces one of another version of the product; does nothing when it is there. */
export async function ensureDemoRelease({ repository, bytes, spool, clock }: DemoReleaseOptions): Promise<void> {
  const demo = demoFiles();
  const hashes = demo.map((file) => createHash('sha256').update(file.bytes).digest('hex'));
  if (isDeepStrictEqual(await repository.read(), hashes)) {
    return;
  }
  await using spooled = new AsyncDisposableStack();
  const held: SpooledFile[] = [];
  for (const file of demo) {
    held.push(spooled.use(await spool.receive(oneChunk(file.bytes))));
  }
  await bytes.hold(held, async (uploadId) => {
    const at = new Date(clock.now()).toISOString();
    const files = demo.map(({ fileName, offset, bytes: { length } }, index) => ({
      fileName,
      offset,
      sha256: hashes[index] ?? '',
      size: length,
    }));
    const row = { ...texts, files, baudRate: 115_200 };
    if (!(await repository.replace({ ...row, at, uploadId }))) {
      throw new DatabaseUnavailableError({ cause: new Error('The demo release no longer claims its bytes') });
    }
  });
  bytes.clean();
}

async function* oneChunk(bytes: Uint8Array) {
  yield bytes;
}
