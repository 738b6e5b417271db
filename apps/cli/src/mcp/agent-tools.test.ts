/** Tools in the process of the test, with a clock that decides when an answer is due. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { type Clock, systemClock } from '@wirebench/clock';
import { buildApp, chipIds } from '@wirebench/flasher/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ActLog } from './act-log.ts';
import { longestAnswer } from './agent-calls.ts';
import { AgentPorts } from './agent-ports.ts';
import { AgentTools } from './agent-tools.ts';
import { readAllowance } from './allowance.ts';
import { readAnswer } from './testing/agent-client.ts';

/** A clock on which an answer is due at once, until `isDue` is false. */
const due = { isDue: true };
const clock: Clock = {
  now: () => systemClock.now(),
  wallTime: () => systemClock.wallTime(),
  schedule: (delay, callback) => systemClock.schedule(delay, callback),
  sleep: (delay, signal) =>
    delay === longestAnswer && due.isDue ? Promise.resolve() : systemClock.sleep(delay, signal),
};

async function tools() {
  const folder = mkdtempSync(join(tmpdir(), 'wirebench-tools-'));
  const path = join(folder, 'acts.jsonl');
  writeFileSync(join(folder, 'app.bin'), buildApp({ chipId: chipIds.esp32, project: 'lamp', size: 20_000 }));
  const log = await ActLog.open(path, clock);
  const allowance = await readAllowance([`flash,folder=${folder}`]);
  const ports = await AgentPorts.create({ clock, ports: [], simulate: 'esp32' });
  const stop = new AbortController();
  const made = new AgentTools({ clock, version: '1.0.0', ports, allowance, log, ended: stop.signal });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await made.server().connect(far);
  await client.connect(near);
  onTestFinished(async () => {
    stop.abort();
    await made.settled();
    await client.close();
    await ports.dispose();
    await log.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    log,
    acts: () => readFileSync(path, 'utf8'),
    call: async (name: string, given: Record<string, unknown>, options: Parameters<Client['callTool']>[2] = {}) =>
      readAnswer(
        (await client.callTool({ name, arguments: given }, undefined, options)) as Parameters<typeof readAnswer>[0],
      ),
  };
}

const plan = { port: 'esp32', build: ['0x10000=app.bin'] };

describe('work that is longer than an answer', () => {
  it('says "not yet", and its end at the next call with the same arguments', async () => {
    due.isDue = true;
    const { call, acts } = await tools();
    const first = await call('plan_flash', plan);
    expect(first).toMatchObject({ isError: false, data: null, said: expect.stringContaining('Not yet: ') });
    expect(await call('open_port', { port: 'esp32' })).toMatchObject({
      isError: true,
      said: expect.stringContaining('is being worked on'),
    });
    expect((await call('flash', { port: 'esp32', plan: 'x' })).said).toContain('is being worked on');
    due.isDue = false;
    expect((await call('plan_flash', plan)).said).toMatch(/its hash is [\da-f]{16}/);
    const entries = acts()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries).toContainEqual(expect.objectContaining({ tool: 'plan_flash', outcome: 'pending' }));
    expect(entries.filter(({ work }) => work === 'plan_flash')).toHaveLength(1);
  });

  it('tells its progress to a client that wants it', async () => {
    due.isDue = false;
    const { call } = await tools();
    const told: unknown[] = [];
    await call('plan_flash', plan, { onprogress: ({ message }) => told.push(message) });
    expect(told.length).toBeGreaterThan(0);
  });

  it('ends when its call is cancelled, and the port is free at once', async () => {
    due.isDue = false;
    const { call } = await tools();
    const abort = new AbortController();
    const planned = call('plan_flash', plan, { signal: abort.signal });
    await call('list_ports', {});
    abort.abort('enough');
    await expect(planned).rejects.toThrow('enough');
    await expect.poll(async () => (await call('open_port', { port: 'esp32' })).isError).toBe(false);
  });
});

describe('log of acts', () => {
  it('stops what it cannot write', async () => {
    const { log, call } = await tools();
    await log.close();
    expect(await call('open_port', { port: 'esp32' })).toMatchObject({
      isError: true,
      said: expect.stringContaining('The log of acts cannot be written'),
    });
  });
});

describe('--allow', () => {
  it('reads ports, actions and folders, also with a comma in a path', async () => {
    const { ports, actions, folders } = await readAllowance([
      'port=ttyUSB0,send,folder=/a,b/c,flash',
      'port=/dev/ttyACM0',
    ]);
    expect(ports.map(({ label }) => label)).toEqual(['ttyUSB0', 'ttyACM0']);
    expect([...actions]).toEqual(['send', 'flash']);
    expect(folders).toEqual(['/a,b/c']);
    expect((await readAllowance(undefined)).actions.size).toBe(0);
    expect((await readAllowance(undefined, ['ttyUSB0'])).ports.map(({ label }) => label)).toEqual(['ttyUSB0']);
    await expect(readAllowance(['toString'])).rejects.toThrow('--allow takes port=NAME');
    await expect(readAllowance(['send,erase-all'])).rejects.toThrow('--allow takes');
  });
});
