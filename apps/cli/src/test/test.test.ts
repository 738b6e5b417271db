/** `wirebench test` as a process, on pseudo-terminals of socat and on a simulated board. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp, chipIds } from '@wirebench/flasher/testing';
import { recogniseLog } from '@wirebench/serial/opened-log';
import { randomBytes } from '@wirebench/test-input';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canCall, socatCall } from '../../../../packages/devices/src/testing/pseudo-terminal.ts';
import type { PluggedTerminal } from '../../../../packages/node-port/src/testing/plugged-terminal.ts';
import { plugged, ran, utf8, wirebench } from '../testing/monitored-port.ts';
import { ProgramDevice } from '../testing/program-device.ts';
import { cabled } from '../testing/served-board.ts';

const hasSocat = canCall(socatCall);
/** True: lrzsz is installed. */
const hasReceiver = ['rz'].every((program) => spawnSync(program, ['--version']).status === 0);

/** Writes a JKit beside the port and returns its path. */
function saved({ folder }: PluggedTerminal, content: object, name = 'smoke.jkit.json'): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ name: 'Smoke', ...content }));
  return file;
}

const received = ({ got }: PluggedTerminal) => Buffer.concat(got).toString();

/** Waits until the board has this text `times` times, then sends. */
async function answers(port: PluggedTerminal, asked: string, answer: string | Uint8Array, times = 1): Promise<void> {
  await expect.poll(() => received(port).split(asked).length - 1, { interval: 10 }).toBeGreaterThanOrEqual(times);
  port.send(typeof answer === 'string' ? utf8(answer) : answer);
}

const version = { content: 'version', label: 'firmware version', expect: 'v9.9', timeoutMs: 500 };
const fatal = { name: 'No fatal error', when: { line: 'FATAL' }, must: 'not-fire' };

interface JsonReport {
  readonly exitCode: number;
  readonly tests: readonly {
    readonly verdict: string;
    readonly tries: number;
    readonly resets: number;
    readonly flaky: boolean;
    readonly notes: readonly string[];
    readonly transcript: string;
    readonly cases: readonly {
      readonly name: string;
      readonly state: string;
      readonly message?: string;
      readonly awaited?: readonly string[];
      readonly came?: readonly { readonly text: string }[];
      readonly earlier: readonly { readonly message: string }[];
    }[];
  }[];
}

const parsed = (text: string): JsonReport => JSON.parse(text.slice(text.indexOf('{')));

describe.runIf(hasSocat)('test', { timeout: 60_000 }, () => {
  it('passes when every answer comes and no rule forbids what came', async () => {
    const port = await plugged();
    const file = saved(port, { fields: [{ ...version, timeoutMs: 20_000 }], rules: [fatal] });
    const program = wirebench(['test', file, '--port', port.path, '--settle', '0']);
    await answers(port, 'version\n', 'app v9.9\n');
    expect(await program.exited).toBe(0);
    expect(program.text()).toContain('Test passed: Smoke, 2 of 2 checks passed');
  });

  it('withdraws a pass when a rule that must not fire fires afterwards, and names rule and line', async () => {
    const port = await plugged();
    const file = saved(port, { fields: [{ ...version, timeoutMs: 20_000 }], rules: [fatal] });
    const program = wirebench(['test', file, '--port', port.path, '--settle', '3', '--json']);
    await answers(port, 'version\n', 'v9.9\nPASS\n');
    port.send(utf8('E: FATAL ERROR: stack overflow\n'));
    expect(await program.exited).toBe(1);
    const [test] = parsed(program.text()).tests;
    expect(test?.cases).toMatchObject([
      { name: 'firmware version', state: 'passed' },
      { name: 'rule No fatal error', state: 'failed' },
    ]);
    expect(test?.cases[1]?.message).toMatch(
      /^the rule "No fatal error" fired after [\d.]+ s on board 1: E: FATAL ERROR: stack overflow, which withdraws the pass$/,
    );
  });

  it('says what was awaited and what came, with the name of the message, everywhere', async () => {
    const port = await plugged();
    const file = saved(port, { fields: [version, { ...version, label: 'later' }] });
    const [xml, log] = [join(port.folder, 'x.xml'), join(port.folder, 'run.txt')];
    const program = wirebench(['test', file, '--port', port.path, '--junit', xml, '--log', log, '--settle', '0']);
    await answers(port, 'version\n', 'app v1.2\r\n');
    expect(await program.exited).toBe(1);
    const sentence = /no answer to "firmware version" within 500 ms: awaited "v9\.9"; last came app v1\.2/;
    expect(program.text()).toMatch(sentence);
    expect(program.text()).toContain('skipped later (undecided)');
    expect(readFileSync(xml, 'utf8').replaceAll('&quot;', '"')).toMatch(sentence);
    expect(readFileSync(xml, 'utf8')).toContain('errors="0" skipped="1" failures="1"');
    expect(readFileSync(log, 'utf8')).toMatch(
      / {2}RX {2}app v1\.2\n[\s\S]* {2}ERROR {2}Test failed: Smoke, 0 of 2 checks passed\n$/,
    );
    expect(recogniseLog(new Uint8Array(readFileSync(log))).program).toBe('wirebench');
  });

  it('counts tries that failed, and says at which one the test has passed', async () => {
    const port = await plugged();
    const file = saved(port, { fields: [version] });
    const xml = join(port.folder, 'x.xml');
    const program = wirebench(['test', file, '--port', port.path, '--retries', '3', '--junit', xml, '--settle', '0']);
    await answers(port, 'version\n', 'busy\n');
    await answers(port, 'version\n', 'busy\n', 2);
    await answers(port, 'version\n', 'v9.9\n', 3);
    expect(await program.exited).toBe(0);
    expect(program.text()).toContain('passed at the 3rd try');
    const text = readFileSync(xml, 'utf8');
    expect(text.match(/<flakyFailure /g)).toHaveLength(2);
    expect(text).toContain('failures="0" flakes="1"');
  });

  it('resets a board that says nothing once, and the reset is said and no pass', async () => {
    const port = await plugged();
    const file = saved(port, { fields: [version] });
    const program = wirebench(['test', file, '--port', port.path, '--json', '--settle', '0']);
    expect(await program.exited).toBe(1);
    const [test] = parsed(program.text()).tests;
    expect(test).toMatchObject({ verdict: 'failed', tries: 2, resets: 1, flaky: false });
    expect(test?.cases[0]?.earlier).toHaveLength(1);
    expect(test?.notes[0]).toBe('Board 1 said nothing: it was reset once.');
    expect(received(port)).toBe('version\nversion\n');
  });

  it('shows a test that passes only after the reset by this program as flaky, everywhere', async () => {
    const run = async (...more: readonly string[]) => {
      const port = await plugged();
      const file = saved(port, { fields: [version] });
      const xml = join(port.folder, 'x.xml');
      const program = wirebench(['test', file, '--port', port.path, '--settle', '0', '--junit', xml, ...more]);
      await answers(port, 'version\n', 'v9.9\n', 2);
      expect(await program.exited).toBe(0);
      return { text: program.text(), xml: readFileSync(xml, 'utf8') };
    };
    const { text, xml } = await run();
    expect(text).toContain('flaky   firmware version (');
    expect(text).toContain('1st try: no answer to "firmware version" within 500 ms');
    expect(text).toContain(
      'Test passed: Smoke, 1 of 1 checks passed, 1 of them flaky, passed at the 2nd try, after a reset by this program',
    );
    // Surefire's form (surefire-test-report.xsd 3.0.2).
    expect(xml).toContain('failures="0" flakes="1"');
    expect(xml).toMatch(/<testcase name="firmware version"[^>]*>\s*<flakyFailure [^>]*type="no-answer"/);
    const [test] = parsed((await run('--json')).text).tests;
    expect(test).toMatchObject({ verdict: 'passed', flaky: true, tries: 2, resets: 1 });
    expect(test?.cases).toMatchObject([{ state: 'passed', flaky: true, earlier: [{}] }]);
    expect((await run('--tap')).text).toMatch(/^ok 1 - .*firmware version \(flaky\)\n {2}---$/m);
  });

  it('resets no board with --no-reset', async () => {
    const port = await plugged();
    const file = saved(port, { fields: [version] });
    const program = wirebench(['test', file, '--port', port.path, '--json', '--settle', '0', '--no-reset']);
    expect(await program.exited).toBe(1);
    expect(parsed(program.text()).tests).toMatchObject([{ verdict: 'failed', tries: 1, resets: 0, notes: [] }]);
    expect(received(port)).toBe('version\n');
  });

  describe('a run that cannot start', () => {
    const old = '<testsuites><testsuite name="smoke" tests="3" failures="0" errors="0"></testsuite></testsuites>';
    const cases: readonly (readonly [
      name: string,
      args: (file: string, folder: string) => readonly string[],
      code: number,
    ])[] = [
      ['without its port', (file, folder) => [file, '--port', join(folder, 'none')], 3],
      ['without any port', (file) => [file], 2],
      ['without its test', (_file, folder) => [join(folder, 'none.jkit.json'), '--port', 'x'], 2],
      ['with a test that cannot be read', (_file, folder) => [join(folder, 'report.xml'), '--port', 'x'], 2],
      ['with a wrong value', (file, folder) => [file, '--port', join(folder, 'none'), '--retries', 'many'], 2],
      ['with an unknown option', (file, folder) => [file, '--prot', join(folder, 'none')], 2],
      [
        'with a log that cannot be written',
        (file, folder) => [file, '--simulate', 'esp32', '--log', join(folder, 'no', 'x')],
        2,
      ],
    ];
    it.each(cases)('%s is an error in the report, and no earlier report stays', async (_name, args, code) => {
      const port = await plugged();
      const file = saved(port, { fields: [version] });
      const xml = join(port.folder, 'report.xml');
      writeFileSync(xml, old);
      const program = wirebench(['test', ...args(file, port.folder), '--junit', xml]);
      expect(await program.exited).toBe(code);
      const report = readFileSync(xml, 'utf8');
      expect(report).toMatch(/errors="1" skipped="0" failures="0"/);
      expect(report).toMatch(/<testcase name="start"[^>]*>\s*<error message="[^"]+" type="start">/);
      expect(report).not.toContain('name="smoke"');
    });

    it('is an error in JSON and TAP', async () => {
      const port = await plugged();
      const file = saved(port, { fields: [version] });
      const json = wirebench(['test', file, '--port', join(port.folder, 'none'), '--json']);
      expect(await json.exited).toBe(3);
      const text = json.text();
      const report = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
      expect(report).toMatchObject({ exitCode: 3, tests: [{ file, verdict: 'error', cases: [{ state: 'error' }] }] });
      const tap = wirebench(['test', file, '--port', join(port.folder, 'none'), '--tap']);
      expect(await tap.exited).toBe(3);
      expect(tap.text()).toContain(`not ok 1 - ${file}: start`);
    });

    it('replaces no file that is no report', async () => {
      const port = await plugged();
      const file = saved(port, { fields: [version] });
      const before = readFileSync(file, 'utf8');
      const program = wirebench(['test', file, '--port', join(port.folder, 'none'), '--junit', file]);
      expect(await program.exited).toBe(2);
      expect(program.text()).toContain(`${file} is there already and no JUnit report. Give another name.`);
      expect(readFileSync(file, 'utf8')).toBe(before);
    });

    it('prints the report alone to standard output for -', async () => {
      const port = await plugged();
      const file = saved(port, { fields: [{ ...version, timeoutMs: 20_000 }] });
      const program = wirebench(['test', file, '--port', port.path, '--settle', '0', '--junit', '-']);
      await answers(port, 'version\n', 'v9.9\n');
      expect(await program.exited).toBe(0);
      expect(program.text()).toMatch(/^<\?xml [\s\S]*<\/testsuites>\n$/);
    });
  });

  it('reports a board that says nothing to flashing as an error of every case, and goes on', async () => {
    const [one, two] = [await plugged(), await plugged()];
    const build = join(one.folder, 'build');
    mkdirSync(build);
    writeFileSync(join(build, 'app.bin'), buildApp({ chipId: chipIds.esp32, project: 'lamp', size: 20_000 }));
    const args = { flash_files: { '0x10000': 'app.bin' }, extra_esptool_args: { chip: 'esp32' } };
    writeFileSync(join(build, 'flasher_args.json'), JSON.stringify(args));
    const silent = saved(one, { fields: [{ ...version, board: 2 }], rules: [fatal] }, 'silent.json');
    const next = saved(one, { fields: [{ ...version, timeoutMs: 20_000 }] }, 'next.json');
    const ports = ['--port', `1=${one.path}`, '--port', `2=${two.path}`, '--flash', `2=${build}`];
    const program = wirebench(['test', silent, next, ...ports, '--settle', '0', '--json']);
    await answers(one, 'version\n', 'v9.9\n');
    const code = await program.exited;
    const report = parsed(program.text());
    expect(report.tests.map(({ verdict }) => verdict)).toEqual(['error', 'passed']);
    expect(report.tests[0]?.cases.map(({ state, message }) => [state, message])).toEqual([
      ['error', expect.stringContaining('Nothing was received from this port.')],
      ['error', expect.stringContaining('Nothing was received from this port.')],
    ]);
    expect([code, report.exitCode]).toEqual([3, 3]);
  });

  it('writes XML 1.0 and TAP whatever bytes a board sends', async () => {
    const port = await plugged();
    const file = saved(port, { fields: [version] });
    const xml = join(port.folder, 'x.xml');
    const program = wirebench(['test', file, '--port', port.path, '--junit', xml, '--tap', '--settle', '0']);
    await answers(port, 'version\n', Uint8Array.of(0, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x5d, 0x5d, 0x3e, 0xff, 0x0a));
    expect(await program.exited).toBe(1);
    const text = readFileSync(xml, 'utf8');
    expect(text).toContain('\\x00\\x1b[31m]]&gt;\\xff');
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(program.text()).toContain('TAP version 14\n1..1\nnot ok 1 - ');
    expect(program.text()).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('sends to two boards in one test', async () => {
    const [one, two] = [await plugged(), await plugged()];
    const file = saved(one, {
      fields: [
        { content: 'ping', expect: 'sent', timeoutMs: 20_000 },
        { content: 'last?', board: 2, expect: 'ping', timeoutMs: 20_000 },
      ],
    });
    const ports = ['--port', `1=${one.path}`, '--port', `2=${two.path}`];
    const program = wirebench(['test', file, ...ports, '--settle', '0']);
    await answers(one, 'ping\n', 'sent\n');
    await answers(two, 'last?\n', 'ping\n');
    expect(await program.exited).toBe(0);
    expect(received(one)).toBe('ping\n');
    expect(received(two)).toBe('last?\n');
  });

  it('sends the files of messages as they are, by the name that each wants', async () => {
    const port = await plugged();
    const ask = (content: string, file: object) => ({ content, expect: 'ready', timeoutMs: 20_000, file });
    const last = { content: 'sum', expect: '9 bytes', timeoutMs: 20_000 };
    const fields = [ask('first', { by: 'raw', name: 'b.bin' }), ask('second', { by: 'raw' }), last];
    const file = saved(port, { fields });
    for (const [name, content] of [
      ['a.bin', '1234'],
      ['b.bin', '56789'],
    ] as const) {
      writeFileSync(join(port.folder, name), content);
    }
    const args = (...names: string[]) => [
      'test',
      file,
      '--port',
      port.path,
      ...names.flatMap((name) => ['--file', join(port.folder, name)]),
    ];
    const lacking = await ran(...args('b.bin'));
    expect(lacking).toMatchObject({
      code: 2,
      text: expect.stringContaining('"second" sends a file: name it with --file.'),
    });
    const program = wirebench([...args('a.bin', 'b.bin'), '--settle', '0']);
    await answers(port, 'first\n', 'ready\n');
    await answers(port, '56789second\n', 'ready\n');
    await answers(port, '1234sum\n', '9 bytes\n');
    expect(await program.exited, program.text()).toBe(0);
  });

  it.runIf(hasReceiver)('sends the file of a message by ZMODEM', async () => {
    const inbox = mkdtempSync(join(tmpdir(), 'wirebench-inbox-'));
    onTestFinished(() => rmSync(inbox, { recursive: true, force: true }));
    const board = await cabled(new ProgramDevice(inbox, 'sh', '-c', 'read line; echo ready; exec rz --quiet'));
    const content = randomBytes(10_000);
    const [file, sent] = ['load.jkit.json', 'image.bin'].map((name) => join(board.terminal.folder, name));
    const field = { content: 'load', expect: 'ready', timeoutMs: 20_000, file: { by: 'zmodem' } };
    writeFileSync(file ?? '', JSON.stringify({ fields: [field] }));
    writeFileSync(sent ?? '', content);
    const done = await ran('test', file ?? '', '--port', board.path, '--file', sent ?? '', '--settle', '0');
    expect(done.code, done.text).toBe(0);
    expect(readFileSync(join(inbox, 'image.bin')).equals(content)).toBe(true);
  });

  it('fails on a forbidden text, an expression only between slashes', async () => {
    const port = await plugged();
    const file = saved(port, { fields: [{ ...version, timeoutMs: 20_000 }] });
    const forbidden = ['--fail-on', '[E]', '--fail-on', '/^W .+$/'];
    const program = wirebench(['test', file, '--port', port.path, ...forbidden, '--json', '--settle', '0.5']);
    await answers(port, 'version\n', 'E\nv9.9\nW hot\n');
    expect(await program.exited).toBe(1);
    const cases = parsed(program.text()).tests[0]?.cases.map(({ name, state }) => [name, state]);
    expect(cases).toEqual([
      ['firmware version', 'passed'],
      ['--fail-on [E]', 'passed'],
      ['--fail-on /^W .+$/', 'failed'],
    ]);
  });

  it('fails for a rule that must fire and did not, and for a limit of a value that was never plotted', async () => {
    const port = await plugged();
    const rules = [
      { name: 'Ready', when: { line: 'ready' }, must: 'fire' },
      { name: 'Heap', when: { series: 'heap', below: 100 }, must: 'not-fire' },
      { name: 'Heat', when: { series: 'heat', above: 80 }, must: 'not-fire' },
    ];
    const file = saved(port, { fields: [{ ...version, timeoutMs: 20_000 }], rules, test: { seconds: 2 } });
    const program = wirebench(['test', file, '--port', port.path, '--json', '--settle', '0']);
    await answers(port, 'version\n', 'v9.9\nheap: 500\n');
    expect(await program.exited).toBe(1);
    const cases = parsed(program.text()).tests[0]?.cases.map(({ state, message }) => [state, message]);
    expect(cases).toEqual([
      ['passed', undefined],
      ['failed', 'the rule "Ready" did not fire'],
      ['passed', undefined],
      ['failed', '"heat" was never plotted'],
    ]);
  });

  it('refuses tests that it cannot read with 2 and their places, before anything is sent', async () => {
    const port = await plugged();
    const good = saved(port, { fields: [version] }, 'good.json');
    const bad = saved(port, { fields: [{ ...version, flow: { answers: [{ expression: '/(/' }] } }] }, 'bad.json');
    const { code, text } = await ran('test', good, bad, '--port', port.path);
    expect(code).toBe(2);
    expect(text).toContain('bad.json: "firmware version": this version cannot read its "flow.answers[1]"');
    expect(received(port)).toBe('');
  });

  it('runs only what failed in an earlier report, and asks for the port of every board', async () => {
    const port = await plugged();
    const [good, bad] = ['good.json', 'bad.json'].map((name) => saved(port, { fields: [version] }, name));
    const xml = join(port.folder, 'x.xml');
    writeFileSync(
      xml,
      `<testsuites><testsuite name="${good}" failures="0" errors="0"/><testsuite name="${bad}" failures="1" errors="0"/></testsuites>`,
    );
    const { code, text } = await ran('test', good ?? '', bad ?? '', '--only-failed', xml);
    expect(code).toBe(2);
    expect(text).toContain(`${bad} needs board 1: name its port with --port 1=`);
    const twice = await ran('test', good ?? '', '--json', '--tap');
    expect(twice.code).toBe(2);
  });
});

describe('test on a simulated board', { timeout: 60_000 }, () => {
  it('loads a JKit of a server by its link, and needs no board', async () => {
    const content = JSON.stringify({
      fields: [{ content: 'x', flow: { waitFirst: true, answers: [{ text: 'main_task' }] }, timeoutMs: 20_000 }],
    });
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/api/jkits/Ab-_9' ? 200 : 404;
      response.end(JSON.stringify({ data: { _id: 'Ab-_9', name: 'Boot', type: 'uart', content } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const link = `http://127.0.0.1:${port}/app/uart?jkit=`;
    const found = await ran('test', `${link}Ab-_9`, '--simulate', 'esp32', '--settle', '0');
    expect(found.text).toContain('Test passed: Boot, 1 of 1 checks passed');
    expect(found.code).toBe(0);
    const lost = await ran('test', `${link}none`, '--simulate', 'esp32');
    expect(lost.text).toContain('it does not exist, or it is private');
    expect(lost.code).toBe(1);
  });
});
