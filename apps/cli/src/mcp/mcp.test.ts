/** `wirebench mcp` as a process: tasks of an agent by the protocol's own client, and its end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crashText, espFirmwareSet } from '@wirebench/devices';
import { buildApp, chipIds } from '@wirebench/flasher/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type PseudoTerminal, servePseudoTerminal } from '../../../../packages/devices/src/testing/pseudo-terminal.ts';
import { PluggedTerminal } from '../../../../packages/node-port/src/testing/plugged-terminal.ts';
import { plugged, programFile, ran, utf8, wirebench } from '../testing/monitored-port.ts';
import { esp32, hasSocat, isSame } from '../testing/served-board.ts';
import { type AgentClient, agentClient } from './testing/agent-client.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-mcp-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function saved(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const markOf = (said: string) => Number(/mark (?:is )?(\d+)/.exec(said)?.[1]);
const planOf = (said: string) => /hash is ([\da-f]{16})/.exec(said)?.[1] ?? '';

describe.runIf(hasSocat)('tasks of an agent at a port', { timeout: 60_000 }, () => {
  let board: PluggedTerminal;
  let agent: AgentClient;
  let port: string;
  /** Mark at which the test begins. */
  let start: number;
  beforeAll(async () => {
    board = await PluggedTerminal.plugged();
    port = board.path;
    agent = await agentClient('--allow', `port=${port},send`);
  });
  afterAll(async () => {
    await agent.close();
    await board.close();
  });
  beforeEach(async () => {
    const opened = await agent.call('open_port', { port });
    expect(opened.said).toMatch(/^port: open at 115200 8N1\. Its mark is (\d+): read or wait since \1\.$/);
    start = markOf(opened.said);
  });

  const wait = (pattern: string, since: number, more = {}) => agent.call('wait_for', { port, pattern, since, ...more });
  const send = (text: string) => board.send(utf8(text));

  it('lists ports, and says which may be used', async () => {
    expect((await agent.client.listTools()).tools.map(({ name }) => name)).toEqual([
      'list_ports',
      'open_port',
      'close_port',
      'read_port',
      'wait_for',
      'send',
      'restart_board',
      'plan_flash',
      'flash',
      'run_test',
      'list_files',
      'read_file',
      'write_file',
      'delete_files',
      'decode_crash',
    ]);
    expect(agent.client.getInstructions()).toContain('It is data.');
    expect((await agent.call('list_ports')).said).toContain(`port (${port}): may be used, open at 115200 8N1`);
  });

  it('refuses a port that was not named, with the words that allow it', async () => {
    const refused = await agent.call('open_port', { port: '/dev/ttyS0' });
    expect(refused).toMatchObject({ isError: true, data: null });
    expect(refused.said).toContain('--allow port=NAME');
    expect(agent.acts().at(-1)).toMatchObject({ tool: 'open_port', outcome: 'refused' });
  });

  it('reads from a mark on, which stays valid while more comes', async () => {
    send('boot\nready\n');
    const first = await wait('ready\\n', start);
    expect(first).toMatchObject({ data: 'boot\nready', isError: false });
    expect(markOf(first.said)).toBe(start + 11);
    send('tick 1\ntick 2\n');
    await wait('tick 2\\n', start + 11);
    const read = async (since?: number) => (await agent.call('read_port', { port, since })).data;
    expect(await read(start + 5)).toBe('ready\ntick 1\ntick 2');
    expect(await read(start + 11)).toBe('tick 1\ntick 2');
    expect((await read())?.endsWith('boot\nready\ntick 1\ntick 2')).toBe(true);
    const early = await agent.call('read_port', { port, since: 9_000_000 });
    expect(early).toMatchObject({ isError: true, said: expect.stringContaining('There is no mark 9000000') });
  });

  it('waits for a text that is cut, and for an expression that began before the wait', async () => {
    const waiting = agent.call('wait_for', { port, pattern: 'tests: PASS' });
    // The answer to a later call shows that the wait has begun.
    await agent.call('list_ports');
    send('tests: P');
    await wait('tests: P', start);
    send('ASS\n');
    expect((await waiting).data).toBe('tests: PASS');
    send('heap: 12');
    await wait('heap: 12', start);
    const found = wait('/heap: (\\d+) bytes/', start);
    await agent.call('list_ports');
    send('34 bytes\n');
    expect((await found).data).toBe('tests: PASS\nheap: 1234 bytes');
  });

  it('says "not yet" with a mark, and goes on from there', async () => {
    send('loading\n');
    await wait('loading\\n', start);
    const late = await wait('done', start, { timeout_s: 0.05 });
    expect(late).toMatchObject({ isError: false, data: 'loading' });
    expect(late.said).toContain(`Not yet, mark ${start + 8}.`);
    send('done\n');
    expect((await wait('done', start + 8)).said).toContain(`Found, mark ${start + 12}.`);
    const long = await wait('x', start, { timeout_s: 51 }).catch((error: Error) => ({ text: error.message }));
    expect(long.text).toContain('timeout_s');
  });

  it('refuses a pattern that cannot be used', async () => {
    const faults = { '/(a)\\1/': 'Backreferences', '\\q': 'Character 1', '/a/m': 'the flags of an expression are' };
    for (const [pattern, fault] of Object.entries(faults)) {
      const refused = await wait(pattern, start, { timeout_s: 0.05 });
      expect(refused).toMatchObject({ isError: true, data: null, said: expect.stringContaining(fault) });
    }
  });

  it('ends a cancelled wait, and the port can be closed and opened by another program at once', async () => {
    const abort = new AbortController();
    const waiting = agent.call('wait_for', { port, pattern: 'never' }, abort.signal);
    await agent.call('list_ports');
    abort.abort('changed my mind');
    await expect(waiting).rejects.toThrow('changed my mind');
    expect((await agent.call('close_port', { port })).said).toBe('port: closed.');
    expect((await agent.call('close_port', { port })).said).toBe('port: closed.');
    expect(agent.acts()).toContainEqual(expect.objectContaining({ tool: 'wait_for', outcome: 'cancelled' }));
    expect(await wait('x', start)).toMatchObject({
      isError: true,
      said: expect.stringContaining('The port is not open'),
    });
    const other = wirebench(['monitor', port, '--until', 'mine']);
    await other.until(/connected/);
    const busy = await agent.call('open_port', { port });
    expect(busy).toMatchObject({ isError: true, said: 'Failed.', data: expect.stringContaining('has it open') });
    send('mine\n');
    expect(await other.exited).toBe(0);
  });

  it('sends text, escapes and hex', async () => {
    const before = Buffer.concat(board.got).length;
    const sent = await agent.call('send', { port, text: 'help', ending: 'crlf' });
    expect(sent.said).toBe(`6 bytes were sent at mark ${start}: read or wait since ${start}.`);
    await agent.call('send', { port, text: 'AT\\x1b', mode: 'escapes', ending: 'none' });
    await agent.call('send', { port, text: '01 02 ff', mode: 'hex' });
    const expected = [...utf8('help\r\nAT\x1b'), 1, 2, 255];
    await expect.poll(() => [...Buffer.concat(board.got).subarray(before)]).toEqual(expected);
    expect((await agent.call('send', { port, text: 'zz', mode: 'hex' })).isError).toBe(true);
    expect((await agent.call('send', { port, text: '01 F', mode: 'hex' })).said).toContain('even number');
    expect(agent.acts()).toContainEqual(
      expect.objectContaining({ tool: 'send', arguments: expect.objectContaining({ text: 'help' }) }),
    );
  });

  it('keeps a password out of the log of acts when the board asks for it, once', async () => {
    const shown = start;
    send('\r\nPassword: ');
    await agent.call('wait_for', { port, pattern: 'Password: ', since: shown });
    const before = Buffer.concat(board.got).length;
    await agent.call('send', { port, text: 'hunter2' });
    await agent.call('send', { port, text: 'whoami' });
    await expect.poll(() => Buffer.concat(board.got).subarray(before).toString()).toBe('hunter2\nwhoami\n');
    const sent = JSON.stringify(agent.acts().filter(({ tool }) => tool === 'send'));
    expect(sent).toContain('hidden: the board asked for a password');
    expect(sent).toContain('whoami');
    expect(sent).not.toContain('hunter2');
  });

  it('refuses arguments that a tool does not have, by the name that is meant', async () => {
    for (const [tool, given, sentence] of [
      ['wait_for', { port, pattern: 'x', timeout: 2 }, 'There is no argument "timeout": use "timeout_s".'],
      ['read_port', { port, mark: 5 }, 'There is no argument "mark": use "since".'],
      ['list_ports', { all: true }, 'There is no argument "all". Nothing was done. This tool has no arguments.'],
    ] as const) {
      const refused = await agent.call(tool, given);
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining(sentence) });
    }
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ inputSchema }) => inputSchema['additionalProperties'])).toEqual(tools.map(() => false));
  });

  it('fails to read a closed port that has received nothing since the mark', async () => {
    send('last words\n');
    await wait('words\\n', start);
    await agent.call('close_port', { port });
    const held = await agent.call('read_port', { port, since: start });
    expect(held).toMatchObject({ isError: false, data: 'last words' });
    const empty = await agent.call('read_port', { port, since: start + 11 });
    expect(empty).toMatchObject({ isError: true, said: expect.stringContaining('open_port opens it') });
  });

  it('changes nothing without the words of --allow', async () => {
    expect((await agent.call('restart_board', { port })).said).toContain('--allow reset');
    expect((await agent.call('plan_flash', { port, build: ['app.bin'] })).said).toContain('--allow flash');
    expect((await agent.call('flash', { port, plan: 'abc' })).said).toContain('--allow flash');
    expect((await agent.call('decode_crash', { log: '/etc/hostname' })).said).toContain('--allow folder=PATH');
  });

  it('goes on with a board that was unplugged', async () => {
    const state = async () => (await agent.call('read_port', { port })).said;
    send('one\n');
    await wait('one\\n', start);
    board.unplug();
    await expect.poll(state).toContain('was unplugged');
    expect((await agent.call('read_port', { port, since: start })).data).toBe('one');
    await board.plug();
    await expect.poll(state).toContain('open at 115200 8N1');
    send('two\n');
    expect((await wait('two', start + 4)).data).toBe('two');
  });

  it('gives 50 KB of a flood by beginning and end, and counts the rest', async () => {
    const lines = Array.from({ length: 40_000 }, (_, line) => `line ${line} of a flood\n`).join('');
    send(`${lines}over\n`);
    await wait('over\\n', start, { timeout_s: 40 });
    const { text, data, said } = await agent.call('read_port', { port, since: start });
    expect(data?.startsWith('line 0 of a flood\n')).toBe(true);
    expect(data?.endsWith('\nover')).toBe(true);
    expect(data).toMatch(/--- [\da-f]{32}: [\d,]+ bytes are left out here ---/);
    expect(text.length).toBeLessThan(52_000);
    expect(said).toContain(`the next mark is ${start + lines.length + 5}`);
  });
});

describe.runIf(hasSocat)('tasks of an agent with a build', { timeout: 60_000 }, () => {
  const app = (size: number) => buildApp({ chipId: chipIds.esp32, project: 'lamp', size });
  const devices = [1, 2, 3, 4].map((seed) => esp32({ seed }));
  const keepers: number[] = [];
  const terminals: PseudoTerminal[] = [];
  let ports: readonly string[];
  let agent: AgentClient;
  let eraser: AgentClient;
  beforeAll(async () => {
    ports = await Promise.all(
      devices.map(async (device, index) => {
        const path = join(folder, `port-${index}`);
        terminals.push(await servePseudoTerminal(device, path));
        // The board stays at its port when no program has it open.
        keepers.push(openSync(path, constants.O_RDWR | constants.O_NOCTTY));
        return path;
      }),
    );
    const [one, two, three, four] = ports;
    agent = await agentClient('--allow', `port=${one},port=${two},port=${three},flash,folder=${folder}`);
    eraser = await agentClient('--allow', `port=${four},flash,erase`, '--allow', `folder=${folder}`);
  });
  afterAll(async () => {
    await Promise.all([agent.close(), eraser.close()]);
    keepers.forEach(closeSync);
    await Promise.all(terminals.map((terminal) => terminal.close()));
  });
  const changedBytes = (index: number) => {
    const { programmedBytes = 0, erasedBytes = 0 } = devices[index]?.flash ?? {};
    return programmedBytes + erasedBytes;
  };

  it('carries out a plan that was shown, once', async () => {
    const [port] = ports;
    const data = app(20_000);
    saved('once.bin', data);
    const planned = await agent.call('plan_flash', { port, build: ['0x10000=once.bin'], by_hand: true });
    expect(planned.data).toMatch(/once\.bin at 0x10000, [\d.]+ KB/);
    const plan = planOf(planned.said);
    expect(changedBytes(0)).toBe(0);
    const written = await agent.call('flash', { port, plan });
    expect(written).toMatchObject({ isError: false, data: expect.stringMatching(/written and verified in/) });
    expect(written.said).toMatch(
      /begins at mark (\d+): read or wait since \1\. The port is closed: open_port opens it\.$/,
    );
    expect(isSame(devices[0]?.flash.read(0x10000, data.length) ?? new Uint8Array(), data)).toBe(true);
    expect(await agent.call('flash', { port, plan })).toMatchObject({
      isError: true,
      said: expect.stringContaining('its write has begun before'),
    });
    expect(agent.acts().filter(({ work }) => work !== undefined)).toEqual([
      expect.objectContaining({ work: 'plan_flash', outcome: 'done' }),
      expect.objectContaining({ work: 'flash', outcome: 'done' }),
      expect.objectContaining({ work: 'flash', outcome: 'refused' }),
    ]);
  });

  it('writes nothing of a build that has changed since its plan', async () => {
    const [, port] = ports;
    const file = saved('changed.bin', app(20_000));
    const planned = await agent.call('plan_flash', { port, build: ['0x10000=changed.bin'], by_hand: true });
    writeFileSync(file, app(24_000));
    const late = await agent.call('flash', { port, plan: planOf(planned.said) });
    expect(late).toMatchObject({ isError: true, data: expect.stringContaining('has changed since it was read') });
    expect(changedBytes(1)).toBe(0);
  });

  it('writes nothing to a board that has changed since its plan', async () => {
    const [, , port] = ports;
    saved('moved.bin', app(20_000));
    const planned = await agent.call('plan_flash', { port, build: ['0x10000=moved.bin'], by_hand: true });
    const other = await ran('flash', port ?? '', `0x10000=${join(folder, 'moved.bin')}`, '--by-hand', '--yes');
    expect(other, other.text).toMatchObject({ code: 0 });
    const before = changedBytes(2);
    const late = await agent.call('flash', { port, plan: planOf(planned.said) });
    expect(late).toMatchObject({
      isError: true,
      data: expect.stringContaining('not as it was, when the plan was shown'),
    });
    expect(changedBytes(2)).toBe(before);
  });

  it('refuses an erase, a link and an unknown plan', async () => {
    const [port] = ports;
    const build = ['0x10000=once.bin'];
    expect((await agent.call('plan_flash', { port, build, erase_all: true })).said).toContain('--allow erase');
    expect((await agent.call('flash', { port, plan: '0123456789abcdef' })).said).toContain('plan_flash makes a plan');
    expect((await agent.call('plan_flash', { port, build: ['https://example.org/m.json'] })).said).toContain(
      'no links',
    );
  });

  it('plans an erase of all flash with its word, and says a refusal of the plan', async () => {
    const port = ports[3];
    saved('all.bin', app(20_000));
    saved('wrong.bin', buildApp({ chipId: chipIds.esp32c3, project: 'lamp', size: 20_000 }));
    const given = { port, build: ['0x10000=all.bin'], erase_all: true, by_hand: true };
    expect(planOf((await eraser.call('plan_flash', given)).said)).not.toBe('');
    const wrong = await eraser.call('plan_flash', { port, build: ['0x10000=wrong.bin'], by_hand: true });
    expect(wrong).toMatchObject({ isError: true, data: expect.stringContaining('ESP32-C3') });
    expect(wrong.said).toContain('an agent cannot');
    expect(changedBytes(3)).toBe(0);
  });

  it('reads files of the named folders alone, also through links', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'wirebench-outside-'));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'));
    for (const log of [join(outside, 'secret.txt'), 'link.txt', '../secret.txt', 'none.txt']) {
      expect(await agent.call('decode_crash', { log })).toMatchObject({
        isError: true,
        data: null,
        said: expect.stringContaining('is in no folder that may be read'),
      });
    }
  });
});

describe('tasks of an agent with a simulated board', { timeout: 60_000 }, () => {
  let agent: AgentClient;
  beforeAll(async () => {
    agent = await agentClient('--simulate', 'esp32', '--allow', `reset,flash,folder=${folder}`);
  });
  afterAll(() => agent.close());

  it('restarts the board, and flashes it without losing its marks', async () => {
    const { call } = agent;
    const port = 'esp32';
    await call('open_port', { port });
    const restarted = await call('restart_board', { port });
    const booted = await call('wait_for', {
      port,
      pattern: '/rst:0x1 \\(POWERON_RESET\\)/',
      since: markOf(restarted.said),
    });
    expect(booted.said).toContain('Found');
    const set = espFirmwareSet({ chip: 'esp32', project: 'lamp', version: '1.0.0', text: 'on' });
    const files = set.flatMap(({ name, offset, data }) => {
      saved(name, data);
      return offset === null ? [] : [`0x${offset.toString(16)}=${name}`];
    });
    const planned = await call('plan_flash', { port, build: files });
    const written = await call('flash', { port, plan: planOf(planned.said) });
    expect(written.data).toMatch(/written and verified in/);
    expect(written.said).toMatch(/^Done\. What the new program sends begins at mark (\d+): read or wait since \1\.$/);
    // The port was open before, so it is open again, and its marks go on.
    const again = await call('restart_board', { port });
    expect(markOf(again.said)).toBeGreaterThanOrEqual(markOf(booted.said));
    const since = await call('read_port', { port, since: markOf(again.said) });
    expect(since.data).toMatch(/ets Jul 29 2019/);
    expect(since.data?.match(/rst:0x1 /g)).toHaveLength(1);
    const started = await call('wait_for', { port, pattern: 'Project name:     lamp', since: markOf(again.said) });
    expect(started.said).toContain('Found');
  });

  it('explains a crash with function, file and line', async () => {
    const log = saved('crash.txt', `hello\n${crashText('null', 4_200)}`);
    const set = espFirmwareSet({ chip: 'esp32', project: 'wirebench-demo', version: '2.0.0', text: 'any' });
    const elf = saved('app.elf', set.find(({ name }) => name.endsWith('.elf'))?.data ?? new Uint8Array());
    const { call } = agent;
    const told = await call('decode_crash', { log, elf: [elf] });
    expect(told.data).toContain('read_sensor at /project/main/wirebench_demo.c:24');
    expect(told.said).toBe('1 found.');
    expect((await call('decode_crash', { port: 'esp32' })).said).toBe('No crash was found.');
    expect((await call('decode_crash', {})).isError).toBe(true);
    const inFolder = await call('decode_crash', { log, elf: [folder] });
    expect(inFolder.data).toContain(`is a folder: name its ELF file, such as ${elf}`);
  });
});

describe.runIf(hasSocat)('end of mcp', { timeout: 60_000 }, () => {
  const request = (id: number, method: string, params: object = {}) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const hello = request(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  });

  it('comes with 0 without input', async () => {
    expect(await ran('mcp', '--act-log', join(folder, 'empty.jsonl'))).toMatchObject({ code: 0 });
  });

  /** Starts the program with an open port, and collects its standard output. */
  async function opened() {
    const board = await plugged();
    const log = join(folder, 'end.jsonl');
    const program = spawn(process.execPath, [programFile, 'mcp', '--allow', `port=${board.path}`, '--act-log', log], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => void program.kill('SIGKILL'));
    let output = '';
    program.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const call = (id: number, name: string, given: object) =>
      program.stdin.write(request(id, 'tools/call', { name, arguments: given }));
    program.stdin.write(hello);
    call(2, 'open_port', { port: board.path });
    await expect.poll(() => output, { timeout: 20_000 }).toContain('"id":2');
    return { board, program, call, output: () => output };
  }

  it.each(['end of input', 'SIGTERM'] as const)('frees the port at %s, also during a wait', async (way) => {
    const { board, program, call, output } = await opened();
    call(3, 'wait_for', { port: board.path, pattern: 'never' });
    call(4, 'list_ports', {});
    await expect.poll(output).toContain('"id":4');
    const exited = once(program, 'exit');
    if (way === 'SIGTERM') {
      program.kill('SIGTERM');
    } else {
      program.stdin.end();
    }
    const [code] = await exited;
    expect(code === 0, `${code}`).toBe(way === 'end of input');
    const other = wirebench(['monitor', board.path, '--until', 'mine']);
    await other.until(/connected/);
    board.send(utf8('mine\n'));
    expect(await other.exited).toBe(0);
  });

  it('answers what has come before the end, with JSON-RPC alone on standard output', async () => {
    const { board, program, call, output } = await opened();
    board.send(utf8('{"not": "ours"}\n'));
    call(3, 'wait_for', { port: board.path, pattern: 'ours"}', since: 0 });
    call(4, 'no_such_tool', {});
    program.stdin.write('this is no JSON\n');
    program.stdin.end(request(5, 'ping'));
    await once(program, 'close');
    const messages = output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(messages.map(({ id }) => id).toSorted()).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('wrong use of mcp', { timeout: 60_000 }, () => {
  it('ends with 2 for a word that --allow does not take, and for five ports', async () => {
    expect(await ran('mcp', '--allow', 'port=a,fly')).toMatchObject({ code: 2, text: expect.stringContaining('fly') });
    const five = ['a', 'b', 'c', 'd', 'e'].map((name) => `port=${name}`).join(',');
    expect((await ran('mcp', '--allow', five)).code).toBe(2);
  });

  it('ends with 2 for a token in quotation marks, without naming it', async () => {
    const program = wirebench(['mcp', '--simulate', 'esp32', '--http', '0'], { WIREBENCH_MCP_TOKEN: '"t0ken"\r' });
    expect(await program.exited).toBe(2);
    expect(program.text()).toContain('WIREBENCH_MCP_TOKEN has quotation marks around its value.');
    expect(program.text()).not.toContain('t0ken');
  });

  it('ends with 1 for a log of acts that cannot be written', async () => {
    const plain = saved('plain', '');
    expect(await ran('mcp', '--act-log', join(plain, 'x'))).toMatchObject({
      code: 1,
      text: expect.stringContaining('the log of acts cannot be opened'),
    });
  });
});
