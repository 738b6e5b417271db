/**
 * The baseline of reads: plain Fastify with one route that returns the bytes of a file. `node bare-server.ts <file>`
 * prints its port.
 */
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

const body = readFileSync(process.argv[2] ?? '', 'utf8');
const app = Fastify();
app.get('/api/firmware/shared/version/:id', (_request, reply) => {
  reply.type('application/json; charset=utf-8').send(body);
});
console.log(`ready: ${await app.listen({ port: 0, host: '127.0.0.1' })}`);
