/** `wirebench crash` as a process, on what the simulated board prints and on the example of the package. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crashText, espFirmwareSet } from '@wirebench/devices';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plugged, programFile, utf8, wirebench } from './testing/monitored-port.ts';
import { hasSocat } from './testing/served-board.ts';

let folder: string;
let elf: string;
let otherElf: string;

function saved(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** ELF file of the demo board's firmware. */
function elfOf(text: string): Uint8Array {
  const set = espFirmwareSet({ chip: 'esp32', project: 'wirebench-demo', version: '2.0.0', text });
  return set.find(({ name }) => name.endsWith('.elf'))?.data ?? new Uint8Array();
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-crash-'));
  elf = saved('app.elf', elfOf('any'));
  const other = elfOf('any');
  other.set([(other.at(-1) ?? 0) ^ 1], other.length - 1);
  otherElf = saved('other.elf', other);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const crash = (args: readonly string[], input = ''): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [programFile, 'crash', ...args], { encoding: 'utf8', input });

/** The panic with its core dump as the demo board prints them, and the panic alone. */
const printed = () => `hello\n${crashText('null', 4_200)}`;
const panicOnly = () => printed().split(/^.*Print core dump/m)[0] ?? '';
const example = (name: string) => fileURLToPath(new URL(`../../../packages/symbols/example/${name}`, import.meta.url));

describe('crash', { timeout: 60_000 }, () => {
  it('names tasks, functions, files, lines and variables of a core dump in a log', () => {
    const { status, stdout } = crash([saved('log.txt', printed()), '--elf', elf]);
    expect(stdout).toMatch(/^Line 3: Guru Meditation Error: .*\n.*null pointer/);
    expect(stdout).toContain('LoadProhibited at address 0x00000004 in task console');
    expect(stdout).toContain(`${elf} is the build that crashed: the dump names its SHA-256.`);
    expect(stdout).toContain(
      '#0  0x4008044B read_sensor at /project/main/wirebench_demo.c:24\n      sensor = 0x0\n      channel = 3\n',
    );
    expect(stdout).toMatch(/^sensors \(priority 5, stack 128 of 3056 bytes\)$/m);
    expect(status).toBe(0);
  });

  it('names the place of a CrashReport of Teensy in an ELF file of ARM', () => {
    const arm = fileURLToPath(new URL('../../../packages/symbols/src/testing/fixtures/bare-arm.elf', import.meta.url));
    const report = ['CrashReport:', '  Code was executing from address 0x10E7A', '  CFSR: 82'].join('\n');
    const { status, stdout } = crash([saved('teensy.txt', report), '--elf', arm]);
    expect(stdout).toContain('the memory protection forbids');
    expect(stdout).toContain('0x00010e7a: fail at /src/bare.c:17');
    expect(status).toBe(0);
  });

  it('keeps the frames between the lines of a tool, and warns of those that are missing', () => {
    const frames = ['BT0: 0x4018F32B  (backtrace)', 'BT1: 0x4018F30D  (backtrace)', 'BT3: 0x4018F2EF  (backtrace)'];
    const name =
      'WARNING Decoded 0x4018f32b: setup() at ol.yaml:75\n (inlined by) _FUN at ol.yaml:76\nvalue 1\nvalue 2';
    const report = ['*** CRASH DETECTED ON PREVIOUS BOOT ***', ...frames.flatMap((frame) => [frame, name])].join('\n');
    const { stdout } = crash([saved('tool.txt', report)]);
    expect(stdout).toContain('Warning: Frame 2 is missing in the log.');
    expect(stdout).toMatch(/0x4018f32b.*\n0x4018f30d.*\n0x4018f2ef/);
  });

  it('prints the same as JSON', () => {
    const { status, stdout } = crash([saved('json.txt', printed()), '--json', '--elf', elf]);
    const { crashes } = JSON.parse(stdout);
    expect(crashes).toHaveLength(1);
    expect(crashes[0]).toMatchObject({ line: 3, decoded: true, chip: 'ESP32', verdict: { match: 'same' } });
    expect(crashes[0].dump.tasks[0]).toMatchObject({ name: 'console', crashed: true });
    expect(crashes[0].dump.tasks[0].frames[0].places[0]).toMatchObject({
      function: 'read_sensor',
      line: 24,
      variables: [{ name: 'sensor', value: '0x0', parameter: true }, { name: 'channel' }, { name: 'sum' }],
    });
    expect(status).toBe(0);
  });

  it('says that an ELF file is of another build, names nothing of a dump with it, and ends with 1', () => {
    const { status, stdout, stderr } = crash([saved('other.txt', printed()), '--elf', otherElf]);
    expect(stdout).toContain(`Warning: ${otherElf}: not the build that crashed. Name the ELF file whose SHA-256`);
    expect(stdout).not.toContain('read_sensor');
    expect(stderr).toContain('no ELF file is of the firmware that crashed.');
    expect(status).toBe(1);
  });

  it('takes the right one of several ELF files', () => {
    const { status, stdout } = crash(['--elf', otherElf, '--elf', elf, saved('two.txt', printed())]);
    expect(stdout).toContain(`${elf} is the build that crashed`);
    expect(status).toBe(0);
  });

  it('looks up the addresses of a panic without a dump, from standard input', () => {
    const { status, stdout } = crash(['-', '--elf', elf], panicOnly());
    expect(stdout).toContain('This is the build that ran: its SHA-256 is the one the board printed.');
    expect(stdout).toMatch(/^0x4008044b: read_sensor at .*wirebench_demo\.c:24$/m);
    expect(stdout).toMatch(/^0x400805a7: run_command at .*:72$/m);
    expect(status).toBe(0);
  });

  it('warns before the names that an ELF file of another build gives to a panic', () => {
    const { status, stdout } = crash(['-', '--elf', otherElf], panicOnly());
    const [before = '', after] = stdout.split('read_sensor');
    expect(before).toContain('Warning: This is not the build that ran: the board printed a different SHA-256.');
    expect(after).toBeDefined();
    expect(status).toBe(1);
  });

  it('explains a crash without an ELF file, and says where one is found', () => {
    const { status, stdout } = crash(['-'], panicOnly());
    expect(stdout).toContain('Name the ELF file of this firmware with --elf to see functions, files and lines: build/');
    expect(stdout).toMatch(/^0x4008044b: \?\? at/m);
    expect(status).toBe(0);
  });

  it('keeps the crashes of a log apart, each with its dump', () => {
    const { stdout } = crash(['-', '--json', '--elf', elf], `${printed()}${crashText('assert', 9_000)}`);
    const { crashes } = JSON.parse(stdout);
    expect(crashes.map(({ title }: { title: string }) => title)).toEqual([
      'LoadProhibited at address 0x00000004 in task console',
      expect.stringMatching(/^assert failed: .*, in task console$/),
    ]);
    expect(crashes.map(({ decoded }: { decoded: boolean }) => decoded)).toEqual([true, true]);
  });

  it('says why a damaged dump cannot be read, and still explains its panic', () => {
    const damaged = printed().replace(/^AAAAADQAAAAAAAAAAAAAADQAIAAHAAAAAAAAAAQAAAAUAQAAAAAAAAAAAACABwAA\r?\n/m, '');
    expect(damaged).not.toBe(printed());
    const { status, stdout, stderr } = crash(['-', '--elf', elf], damaged);
    expect(stderr).toContain('core dump');
    expect(stdout).toMatch(/^0x4008044b: read_sensor at/m);
    expect(stdout).not.toContain('console (crashed');
    expect(status).toBe(0);
  });

  it('reads a core dump that is a file of its own', () => {
    const { status, stdout } = crash([example('crash.core'), '--elf', example('crash.elf')]);
    expect(stdout).toMatch(/scaled at .*crash\.c:14\n {6}sensor = 0x0/);
    expect(status).toBe(0);
  });

  it('ends with 1 for a log without a crash, and counts its restarts', () => {
    const start = 'rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\nI (30) boot: up\n';
    const { status, stdout, stderr } = crash(['-', '--elf', elf], start);
    expect(stdout).toBe('');
    expect(stderr).toContain('there is no crash in standard input. The board restarted once.');
    expect(status).toBe(1);
  });

  it('ends with 2 for files that cannot serve', () => {
    const log = saved('usage.txt', printed());
    expect(crash([join(folder, 'none.txt')])).toMatchObject({ status: 2, stderr: expect.stringContaining('read') });
    expect(crash([log, '--elf', log])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('This is not an ELF file.'),
    });
    expect(crash([]).status).toBe(2);
  });

  it('writes no controls of a log or an ELF file to the terminal', () => {
    const { stdout } = crash(['-'], 'assert failed: \u001b]0;owned\u0007loop main.c:3 (x)\n');
    expect(stdout).toContain('loop main.c:3');
    expect(['\u0007', '\u001b'].filter((control) => stdout.includes(control))).toEqual([]);
  });

  it('ends with 0 when the reader of its output has gone', () => {
    const line = '"$0" "$1" crash "$2" --json --elf "$3" | head -n 1 > /dev/null; exit $PIPESTATUS';
    const log = saved('head.txt', printed());
    expect(spawnSync('bash', ['-c', line, process.execPath, programFile, log, elf]).status).toBe(0);
  });
});

describe.runIf(hasSocat)('crash in monitor --elf', { timeout: 60_000 }, () => {
  it('is explained when the board restarts', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--elf', otherElf, '--elf', elf]);
    await program.until(/connected/);
    port.send(utf8(panicOnly()));
    port.send(
      utf8('ets Jun  8 2016 00:22:57\r\nrst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\nI (5) boot: up\r\n'),
    );
    await program.until(/0x4008044b: read_sensor at .*wirebench_demo\.c:24/);
    expect(program.text()).toMatch(/\* .*null pointer/);
    // A second crash is another one.
    port.send(utf8(panicOnly()));
    await program.until(/(0x4008044b: read_sensor[\s\S]*){2}/);
  });

  it('is explained with its core dump, and at the end of the program', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--elf', elf, '--until', 'the end']);
    await program.until(/connected/);
    port.send(utf8(`${printed()}\nthe end\n`));
    expect(await program.exited).toBe(0);
    expect(program.text()).toContain('#0  0x4008044B read_sensor at /project/main/wirebench_demo.c:24');
    expect(program.text()).toContain('sensor = 0x0');
  });

  it('needs an ELF file that can be read, before a port is opened', async () => {
    const program = wirebench(['monitor', '/dev/no-such-port', '--elf', '/no/such.elf']);
    expect(await program.exited).toBe(2);
    expect(program.text()).toContain('the file cannot be read');
  });
});
