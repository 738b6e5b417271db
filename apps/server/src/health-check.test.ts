import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Environment } from './config.ts';
import { makeCertificate } from './testing/certificate.ts';
import { childEnvironment } from './testing/child-environment.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const program = fileURLToPath(new URL('./health-check.ts', import.meta.url));

async function checked(environment: Environment): Promise<{ code: number; output: string }> {
  const env = { ...childEnvironment(), ...environment };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  return { code, output };
}

async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return String((server.address() as AddressInfo).port);
}

describe('the health check of a container', () => {
  it('asks at the port of the server, and distinguishes alive from starting', async () => {
    let status = 503;
    const server = createServer(({ url }, response) => response.writeHead(url === '/api/health' ? status : 404).end());
    const PORT = await listening(server);
    expect(await checked({ PORT, HOST: '127.0.0.1' })).toEqual({ code: 1, output: 'Answered with 503.\n' });
    status = 200;
    expect(await checked({ PORT, HOST: '0.0.0.0' })).toEqual({ code: 0, output: 'Answered with 200.\n' });
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    expect((await checked({ PORT, HOST: '127.0.0.1' })).code).toBe(1);
  });

  it('speaks TLS where the server does, whatever name the certificate is for', async () => {
    await using folder = await temporaryFolder();
    const pair = makeCertificate();
    const [TLS_CERT, TLS_KEY] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
    await writeFile(TLS_CERT, pair.cert);
    await writeFile(TLS_KEY, pair.key);
    const server = createTlsServer(pair, (_request, response) => response.end());
    const PORT = await listening(server);
    const { code } = await checked({ PORT, HOST: '127.0.0.1', TLS_CERT, TLS_KEY });
    expect(code).toBe(0);
    server.close();
  });
});
