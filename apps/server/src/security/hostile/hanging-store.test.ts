/** A file store that accepts connections and never answers. It counts as unavailable and does not delay other work. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { BlobStoreUnavailableError, newBlobKey } from '../../storage/blobs/blob-store.ts';
import { openS3Store } from '../../storage/blobs/s3-store.ts';
import { startSilentServer } from '../../testing/silent-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { startTestServer } from '../../testing/test-server.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const store = (endpoint: string) => ({
  S3_ENDPOINT: endpoint,
  S3_BUCKET: 'bench',
  S3_REGION: 'default',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
});

/** Milliseconds that the tests allow, because this machine has other work. */
const timeout = 60_000;
/** Waits of the tests in milliseconds. `s3-store.test.ts` checks those of the product. */
const WAIT = 400;

describe('a store that hangs', () => {
  it(
    'does not keep a first start from answering, and is named by readiness and log',
    async () => {
      await using silent = await startSilentServer();
      await using server = await startTestServer(
        { LOG_LEVEL: 'warn', ...store(silent.address) },
        { s3Times: { idleTimeout: WAIT, probeTimeout: WAIT } },
      );
      // The store is asked for the bucket or for a release, and the server answers nevertheless.
      const health = await fetch(`${server.address}/api/health`);
      const page = await fetch(`${server.address}/config.json`);
      const ready = await fetch(`${server.address}/api/ready`);
      expect([health.status, page.status, ready.status]).toEqual([200, 200, 503]);
      expect(await ready.json()).toMatchObject({ code: 'store-unavailable' });
      expect(silent.connections).toBeGreaterThan(0);
      await expect
        .poll(() => server.log.join('\n'), { timeout })
        .toContain("publishing the product's releases failed and will be retried");
    },
    timeout,
  );

  it(
    'is given up also when the garbage collector came by while it was waited for',
    async () => {
      await using silent = await startSilentServer();
      await using folder = await temporaryFolder();
      const path = join(folder.path, 'app.bin');
      await writeFile(path, 'app');
      const store = openS3Store({
        endpoint: silent.address,
        bucket: 'bench',
        region: 'default',
        accessKeyId: 'key',
        secretAccessKey: 'secret',
        publicUrl: null,
        idleTimeout: WAIT,
      });
      const sha256 = createHash('sha256').update('app').digest('hex');
      const kept = store.keep(newBlobKey(sha256), {
        path,
        size: 3,
        sha256,
        safe: Promise.resolve(),
        [Symbol.asyncDispose]: async () => undefined,
      });
      const collecting = setInterval(collectGarbage, 50);
      await expect(kept).rejects.toBeInstanceOf(BlobStoreUnavailableError);
      clearInterval(collecting);
    },
    timeout,
  );
});
