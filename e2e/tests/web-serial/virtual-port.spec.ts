/** The device's side of a virtual port, without a browser: the order of what the browser did, in a process that is late. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { VirtualPort } from '../../web-serial/virtual-port.ts';

const options = { name: 'ttyUSB0', vendorId: 0x2341, productId: 0x43, serialNumber: '1', product: 'Uno' };

test('bytes keep their place among the changes of control lines', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'virtual-port-'));
  const port = new VirtualPort(options, join(folder, 'data'), () => undefined);
  const seen: string[] = [];
  port.on('signals', ({ dtr }) => seen.push(`DTR ${dtr ? 'on' : 'off'}`));
  port.on('data', (bytes) => seen.push(bytes.toString('hex')));
  port.on('close', () => seen.push('close'));
  port.server.listen(port.dataPath);
  await once(port.server, 'listening');
  const socket = connect(port.dataPath);
  await once(socket, 'connect');
  const report = (verb: string, values: Readonly<Record<string, number>>) =>
    port.report(verb, new Map(Object.entries(values).map(([key, value]) => [key, String(value)])));

  // All of a reset with the bytes before and after it has come when this process reads it.
  socket.end(Buffer.from('aa30203020', 'hex'));
  report('open', {});
  report('modem', { dtr: 1, rts: 1, t: 0 });
  report('sent', { n: 1, t: 1 });
  report('modem', { dtr: 0, rts: 0, t: 20 });
  report('modem', { dtr: 1, rts: 1, t: 60 });
  report('sent', { n: 2, t: 100 });
  report('sent', { n: 2, t: 101 });
  report('close', { t: 110 });
  await once(port, 'close');
  expect(seen).toEqual(['DTR on', 'aa', 'DTR off', 'DTR on', '3020', '3020', 'close']);
  port.dispose();
  await rm(folder, { recursive: true });
});

test('a port closes although its last bytes were lost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'virtual-port-'));
  const port = new VirtualPort(options, join(folder, 'data'), () => undefined);
  const seen: string[] = [];
  port.on('data', (bytes) => seen.push(bytes.toString('hex')));
  port.server.listen(port.dataPath);
  await once(port.server, 'listening');
  const socket = connect(port.dataPath);
  await once(socket, 'connect');
  port.report('open', new Map());
  port.report('sent', new Map([['n', '3']]));
  port.report('close', new Map());
  socket.end(Buffer.from('aabb', 'hex'));
  await once(port, 'close');
  expect(seen).toEqual(['aabb']);
  port.dispose();
  await rm(folder, { recursive: true });
});
