/** The packed program, installed from a server on loopback without a registry, under Node 20 of the machine and under the project's own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { espFirmwareSet } from '@wirebench/devices';
import { formatShareLink, makeSecret, webCrypto } from '@wirebench/remote';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canCall, socatCall } from '../../packages/devices/src/testing/pseudo-terminal.ts';
import { PluggedTerminal } from '../../packages/node-port/src/testing/plugged-terminal.ts';
import { packProgram } from './pack-program.ts';

/** Largest size of the file, in bytes. */
const SIZE_LIMIT = 15_000_000;

/** Node 20 of the machine, outside of the project; null without one. */
function nodeTwenty(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const all = folders.map((folder) => join(folder, 'node')).filter((file) => existsSync(file));
  return all.find((file) => spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout.startsWith('v20.')) ?? null;
}

const older = nodeTwenty();
const nodes = [
  ['the Node 20 of this machine', older],
  ['the Node of this project', process.execPath],
] as const;

describe('packed program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wirebench-pack-'));
  const installed = join(folder, 'installed', 'node_modules', 'wirebench', 'main.js');
  let packed: Buffer;
  const requested: (string | undefined)[] = [];

  beforeAll(async () => {
    packed = readFileSync(await packProgram(join(folder, 'packed')));
    const server = createServer((request, response) => {
      requested.push(request.url);
      response.statusCode = request.url === '/wirebench.tgz' ? 200 : 404;
      response.end(response.statusCode === 200 ? packed : undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const npm = ['install', `${address}/wirebench.tgz`, '--registry', address, '--no-audit', '--no-fund'];
    // npm runs under the first `node` of the path: that of the machine.
    const paths = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
    const child = spawn('npm', [...npm, '--cache', join(folder, 'cache'), '--prefix', join(folder, 'installed')], {
      stdio: 'ignore',
      env: { ...process.env, PATH: paths.join(delimiter), npm_config_update_notifier: 'false' },
    });
    const [code] = await once(child, 'close');
    server.close();
    expect(code).toBe(0);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('is small, and installs a command from a server without a registry', () => {
    expect(packed.length).toBeLessThan(SIZE_LIMIT);
    expect(new Set(requested)).toEqual(new Set(['/wirebench.tgz']));
    expect(realpathSync(join(folder, 'installed', 'node_modules', '.bin', 'wirebench'))).toBe(realpathSync(installed));
  });

  it('loads the library for agents with the command mcp only', () => {
    const parts = join(folder, 'installed', 'node_modules', 'wirebench', 'parts');
    const files = [installed, ...readdirSync(parts).map((name) => join(parts, name))];
    const withLibrary = files.filter((file) =>
      readFileSync(file, 'utf8').includes('node_modules/@modelcontextprotocol/'),
    );
    expect(withLibrary.map((file) => basename(file))).toEqual(['mcp.js']);
  });

  for (const [what, node] of nodes) {
    describe.runIf(node !== null)(`under ${what}`, () => {
      const run = (...args: string[]) => spawnSync(node ?? '', [installed, ...args], { encoding: 'utf8', cwd: folder });

      it('lists ports', () => {
        const { status, stdout, stderr } = run('ports', '--json');
        expect([status, stderr]).toEqual([0, '']);
        expect(Array.isArray(JSON.parse(stdout))).toBe(true);
      });

      it('joins a shared bench, which older versions of Node lack functions for', async () => {
        const link = formatShareLink({
          origin: 'http://127.0.0.1:9',
          room: 'a'.repeat(22),
          secret: makeSecret(webCrypto),
        });
        const child = spawn(node ?? '', [installed, 'serve'], {
          cwd: folder,
          env: { ...process.env, WIREBENCH_LINK: link },
        });
        const exited = once(child, 'close');
        const [said] = await once(child.stdout.setEncoding('utf8'), 'data');
        child.kill('SIGINT');
        const [code] = await exited;
        expect([code, said]).toEqual([130, expect.stringContaining('Opening the shared bench at http://127.0.0.1:9.')]);
      });

      it('explains what publishing lacks', () => {
        const { status, stderr } = run('publish', '--server', 'http://127.0.0.1:9', '--token', 'wirebench_secret');
        expect([status, stderr]).toEqual([2, 'wirebench: --version is missing\n']);
      });

      it('answers an agent, and ends with its input', () => {
        const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
        const opened = { name: 'open_port', arguments: { port: 'esp32' } };
        const input = [
          { jsonrpc: '2.0', id: 1, method: 'initialize', params },
          { jsonrpc: '2.0', id: 2, method: 'tools/call', params: opened },
        ].map((message) => `${JSON.stringify(message)}\n`);
        const args = [installed, 'mcp', '--simulate', 'esp32', '--act-log', join(folder, 'acts.jsonl')];
        const { status, stdout } = spawnSync(node ?? '', args, {
          encoding: 'utf8',
          cwd: folder,
          input: input.join(''),
        });
        expect(status).toBe(0);
        expect(stdout).toContain('esp32: open at 115200 8N1.');
      });

      it('runs a simulated board', () => {
        const { status, stdout } = run('monitor', '--simulate', 'esp32', '--until', 'factory firmware');
        expect(status).toBe(0);
        expect(stdout).toContain('POWERON_RESET');
      });

      it('runs a test after a flash, and explains a crash by its ELF file', () => {
        const elf = saveBuild(folder);
        const ready = { answers: [{ text: 'wirebench-demo' }], waitFirst: true };
        const start = [{ content: '', timeoutMs: 20_000, flow: ready }];
        writeFileSync(join(folder, 'start.jkit.json'), JSON.stringify({ fields: start }));
        const flashed = run(
          'test',
          'start.jkit.json',
          '--simulate',
          'esp32',
          '--flash',
          'build',
          '--settle',
          '0',
          '--junit',
          'start.xml',
        );
        expect([flashed.status, flashed.stderr], flashed.stdout).toEqual([
          0,
          expect.stringContaining('written and verified'),
        ]);
        expect(readFileSync(join(folder, 'start.xml'), 'utf8')).toContain('failures="0"');
        const crash = [{ content: 'crash null', expect: 'never', timeoutMs: 1_500 }];
        const content = { fields: crash, settings: { ending: 'cr' } };
        writeFileSync(join(folder, 'crash.jkit.json'), JSON.stringify(content));
        const crashed = run('test', 'crash.jkit.json', '--simulate', 'chatty', '--elf', elf, '--settle', '0');
        expect(crashed.status, crashed.stderr).toBe(1);
        expect(crashed.stdout).toContain('#0  0x4008044B read_sensor at /project/main/wirebench_demo.c:24');
        expect(crashed.stdout).toContain('channel = 3');
      });

      it.runIf(canCall(socatCall))('monitors a port', async () => {
        const port = await PluggedTerminal.plugged();
        const child = spawn(node ?? '', [installed, 'monitor', port.path, '--until', 'PASS'], { cwd: folder });
        let text = '';
        child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        const exited = once(child, 'close');
        await once(child.stderr, 'data');
        // Alone, byte by byte: a loop that sleeps would not see them.
        for (const byte of Buffer.from('tests: PASS')) {
          port.send(Uint8Array.of(byte));
        }
        const [code] = await exited;
        await port.close();
        expect([code, text]).toEqual([0, 'tests: PASS']);
      });
    });
  }
});

/** Saves a build for the simulated ESP32 in the folder `build`. Returns the path of its ELF file. */
function saveBuild(folder: string): string {
  const set = espFirmwareSet({ chip: 'esp32', project: 'wirebench-demo', version: '2.0.0', text: 'any' });
  mkdirSync(join(folder, 'build'), { recursive: true });
  for (const { name, data } of set) {
    writeFileSync(join(folder, 'build', name), data);
  }
  const flashed = set.flatMap(({ name, offset }) => (offset === null ? [] : [[`0x${offset.toString(16)}`, name]]));
  const list = { flash_files: Object.fromEntries(flashed), extra_esptool_args: { chip: 'esp32' } };
  writeFileSync(join(folder, 'build', 'flasher_args.json'), JSON.stringify(list));
  return join('build', set.find(({ name }) => name.endsWith('.elf'))?.name ?? '');
}
