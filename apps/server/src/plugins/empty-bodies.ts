/**
 * Removes the content type of requests without a body. Many programs send one on every call. The framework would then
 * expect a body of that type and refuse the call.
 */
import type { FastifyInstance } from 'fastify';

export function dropTypeOfEmptyBody(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding, 'content-type': type = '' } = raw.headers;
    const isEmpty = encoding === undefined && Number(length) === 0;
    // A form is never empty: an empty one was aborted, and its route reports that.
    if (isEmpty && !type.startsWith('multipart/')) {
      delete raw.headers['content-type'];
    }
    done();
  });
}
