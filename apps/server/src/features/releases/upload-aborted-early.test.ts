/** Uploads that end while a place is being looked for, before anything of them is read. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { firmwarePaths } from '@wirebench/contract';
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { expect, it } from 'vitest';
import { UploadAdmission } from '../../admission/upload-admission.ts';
import { actorCalled } from '../../testing/firmware-services.ts';
import { requestHead, versionForm } from '../../testing/hostile-target.ts';
import { type VersionUploadOptions, versionUploadRoutes } from './version-upload.routes.ts';

it('an upload that breaks off while the disk is asked for room gives its place back', async () => {
  const asked = Promise.withResolvers<void>();
  const freeBytes = Promise.withResolvers<number>();
  const uploads = new UploadAdmission({
    limits: { perUser: 1, inAll: 1, diskReserve: 1 },
    freeBytes: () => {
      asked.resolve();
      return freeBytes.promise;
    },
  });
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // No version and no file is created.
  const unused = {} as Pick<VersionUploadOptions, 'versions' | 'spool'>;
  await app.register(versionUploadRoutes, {
    ...unused,
    uploads,
    limits: { elfSize: 1_000_000, builds: 8 },
    requirePublisher: async (request) => {
      request.user = actorCalled('maker').user;
    },
    limitWrites: async () => undefined,
  } as VersionUploadOptions);
  const closed = Promise.withResolvers<void>();
  app.addHook('onRequest', async ({ raw }) => void raw.once('close', closed.resolve));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  const { head, length, type } = versionForm('a project', '1', 1_000_000);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    requestHead(firmwarePaths.newVersion, { 'content-type': type, 'content-length': String(length) }) + head,
  );
  await asked.promise;
  expect(uploads.inProgress).toBe(1);
  socket.resetAndDestroy();
  await closed.promise;
  freeBytes.resolve(1e12);
  await expect.poll(() => uploads.inProgress).toBe(0);
  await app.close();
});
