/**
 * Opens ports of other people's servers: pySerial's RFC 2217 server before its own `loop://`, ser2net, and socat. Each
 * runs where it is installed; the variable PYTHON can name another Python.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@wirebench/clock';
import { afterEach, describe, expect, it } from 'vitest';
import { NetworkSerial } from './network-serial.ts';

const has = (program: string, ...args: readonly string[]) =>
  spawnSync(program, args, { stdio: 'ignore', timeout: 30_000 }).error === undefined;
const python = [process.env['PYTHON'], 'python3', '/usr/bin/python3'].find(
  (name) => name !== undefined && spawnSync(name, ['-c', 'import serial'], { stdio: 'ignore' }).status === 0,
);
const hasSocat = has('socat', '-V');
const hasSer2net = has('ser2net', '-v');

const server = `
import socket, sys, threading, serial, serial.rfc2217
port = serial.serial_for_url('loop://', timeout=0.02)
listener = socket.create_server(('127.0.0.1', int(sys.argv[1])))
client, _ = listener.accept()
class Out:
    def write(self, data): client.sendall(data)
manager = serial.rfc2217.PortManager(port, Out())
def pass_on():
    while True:
        data = port.read(256)
        if data: client.sendall(b''.join(manager.escape(data)))
        manager.check_modem_lines()
threading.Thread(target=pass_on, daemon=True).start()
while True:
    data = client.recv(1024)
    if not data: break
    port.write(b''.join(manager.filter(data)))
print('rate', port.baudrate, 'parity', port.parity, 'bits', port.bytesize, flush=True)
`;

const started: ChildProcess[] = [];
const folders: string[] = [];
afterEach(() => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL');
  }
  for (const folder of folders.splice(0)) {
    rmSync(folder, { recursive: true, force: true });
  }
});

function start(program: string, args: readonly string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  let text = '';
  child.stdout?.on('data', (bytes) => {
    text += bytes;
  });
  return () => text;
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { readonly port: number };
      probe.close(() => resolve(port));
    });
  });

/** Opens the port once its server listens, sends all bytes, and returns the port with what came back. */
async function echoed(address: string, options: SerialOptions) {
  const [port] = await new NetworkSerial(systemClock, [address]).getPorts();
  if (port === undefined) {
    throw new Error('the port is there');
  }
  await expect.poll(() => port.open(options).then(() => true, String), { timeout: 10_000 }).toBe(true);
  const sent = Uint8Array.from([...Array.from({ length: 256 }, (_, byte) => byte), 13, 0, 255, 255, 13, 10]);
  const [writer, reader] = [port.writable?.getWriter(), port.readable?.getReader()];
  await writer?.write(sent);
  const got: number[] = [];
  while (got.length < sent.length) {
    got.push(...((await reader?.read())?.value ?? []));
  }
  writer?.releaseLock();
  reader?.releaseLock();
  return { port, isSame: Buffer.from(got).equals(sent) };
}

/** Starts a pseudo-terminal that sends back what it gets, and returns its path. */
async function echoingTerminal(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'network-port-'));
  folders.push(folder);
  const path = join(folder, 'port');
  start('socat', [`pty,raw,echo=0,link=${path}`, 'EXEC:cat']);
  await expect.poll(() => existsSync(path)).toBe(true);
  return path;
}

describe('a port of another server', { timeout: 60_000 }, () => {
  it.runIf(python !== undefined)('passes all bytes, settings and lines through pySerial', async () => {
    const at = await freePort();
    const text = start(python ?? '', ['-c', server, `${at}`]);
    const options: SerialOptions = { baudRate: 57_600, dataBits: 7, parity: 'even' };
    const { port, isSame } = await echoed(`rfc2217://127.0.0.1:${at}`, { ...options, dataBits: 8 });
    expect(isSame).toBe(true);
    // loop:// connects RTS to CTS and DTR to DSR.
    await port.setSignals({ requestToSend: false });
    await expect.poll(() => port.getSignals()).toMatchObject({ clearToSend: false, dataSetReady: true });
    await port.setSignals({ requestToSend: true, dataTerminalReady: false });
    await expect.poll(() => port.getSignals()).toMatchObject({ clearToSend: true, dataSetReady: false });
    await port.close();
    await port.open(options);
    await port.close();
    await expect.poll(text, { timeout: 10_000 }).toBe('rate 57600 parity E bits 7\n');
  });

  it.runIf(hasSer2net && hasSocat)('passes all bytes and the rate through ser2net', async () => {
    const path = await echoingTerminal();
    const at = await freePort();
    const file = `${path}.yaml`;
    writeFileSync(
      file,
      `%YAML 1.1\n---\nconnection: &board\n  accepter: telnet(rfc2217),tcp,127.0.0.1,${at}\n  connector: serialdev,${path},9600n81,local\n`,
    );
    start('ser2net', ['-n', '-c', file]);
    const { port, isSame } = await echoed(`rfc2217://127.0.0.1:${at}`, { baudRate: 57_600 });
    expect(isSame).toBe(true);
    expect(spawnSync('stty', ['-F', path, 'speed'], { encoding: 'utf8' }).stdout).toBe('57600\n');
    await port.close();
  });

  it.runIf(hasSocat)('passes all bytes through socat, and is lost when socat ends', async () => {
    const at = await freePort();
    start('socat', [`tcp-listen:${at},bind=127.0.0.1`, 'EXEC:cat']);
    const { port, isSame } = await echoed(`tcp://127.0.0.1:${at}`, { baudRate: 115_200 });
    expect(isSame).toBe(true);
    const reading = port.readable?.getReader().read();
    started[0]?.kill('SIGKILL');
    await expect(reading).rejects.toMatchObject({ name: 'NetworkError' });
    expect(port.connected).toBe(false);
    await expect(
      new Promise((resolve, reject) => connect(at, '127.0.0.1', () => resolve(0)).on('error', reject)),
    ).rejects.toThrow();
  });
});
