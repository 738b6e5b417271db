/**
 * A request without a body has no content type, whatever it says. Many programs name one on every call, also on those that
 * send nothing, and the framework would look for a body of that type and refuse the call for having none.
 */
import type { FastifyInstance } from 'fastify';

export function ignoreTypesOfNothing(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding, 'content-type': type = '' } = raw.headers;
    const isEmpty = encoding === undefined && Number(length) === 0;
    // A form is never sent for nothing: an empty one has broken off, and its route says so.
    if (isEmpty && !type.startsWith('multipart/')) {
      delete raw.headers['content-type'];
    }
    done();
  });
}
