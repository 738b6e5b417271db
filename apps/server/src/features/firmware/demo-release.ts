/**
 * The release that comes with the product: one public project with a fixed share id, marked as a demo, so that a link flashes on
 * the first day. Flashers refuse to write it to a real chip.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '@wirebench/clock';
import type { Spool } from '../../storage/blobs/spool.ts';
import { DatabaseUnavailableError } from '../../storage/database/database-failure.ts';
import type { BytesService } from './bytes.service.ts';
import type { DemoRepository } from './demo.repository.ts';
import { demoImage } from './demo-image.ts';

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

/** Where an application begins with the usual partition table. */
const APP_OFFSET = 0x10000;

/** Makes the demo, or replaces one of another version of the product; does nothing when it is there. */
export async function ensureDemoRelease({ repository, bytes, spool, clock }: DemoReleaseOptions): Promise<void> {
  const image = demoImage();
  if ((await repository.read()) === createHash('sha256').update(image).digest('hex')) {
    return;
  }
  await using file = await spool.receive(oneChunk(image));
  const { sha256, size } = file;
  await bytes.hold([file], async (uploadId) => {
    const at = new Date(clock.now()).toISOString();
    const row = {
      ...texts,
      file: { fileName: 'wirebench-demo.bin', offset: APP_OFFSET, sha256, size },
      baudRate: 115_200,
    };
    if (!(await repository.replace({ ...row, at, uploadId }))) {
      throw new DatabaseUnavailableError({ cause: new Error('The claims of the demo release are gone') });
    }
  });
  await bytes.clean();
}

async function* oneChunk(bytes: Uint8Array) {
  yield bytes;
}
