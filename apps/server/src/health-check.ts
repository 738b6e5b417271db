/**
 * Checks that the server in the same container answers, using the server's own settings of address, port and TLS.
 * Exits with 0 on success, otherwise with 1. The certificate is not checked: it belongs to the public name, not to
 * the loopback address.
 */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { apiPaths } from '@wirebench/contract';
import { readConfig } from './config.ts';
import { loadEnvironment } from './environment.ts';

/** Milliseconds. Less than the container's own limit, so that the reason is printed. */
const TIMEOUT = 4_000;

/** Addresses that mean every address of the machine. */
const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const { listen, tls } = readConfig(loadEnvironment());
const options = {
  host: anyAddress.has(listen.host) ? 'localhost' : listen.host,
  port: listen.port,
  path: apiPaths.health,
  timeout: TIMEOUT,
};
const end = (line: string, code: number) => {
  console.log(line);
  process.exit(code);
};
const asked = tls === null ? requestHttp(options) : requestHttps({ ...options, rejectUnauthorized: false });
asked
  .on('response', ({ statusCode = 0 }) => end(`Answered with ${statusCode}.`, statusCode === 200 ? 0 : 1))
  .on('timeout', () => end(`No answer within ${TIMEOUT} ms.`, 1))
  .on('error', ({ message }) => end(message, 1))
  .end();
