import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { DeviceTerminal } from '../testing/device-terminal.ts';
import { ChattyBoard, type ChattyBoardOptions } from './chatty-board.ts';
import { crashKinds } from './crash/scenes.ts';
import { loadLineCount, loadLines } from './load-stream.ts';

/** A powered board whose terminal receives from the first byte on. */
function board(options: ChattyBoardOptions = {}) {
  const clock = new VirtualClock(1_000_000);
  const device = new ChattyBoard(options);
  const terminal = new DeviceTerminal(device, clock);
  terminal.open();
  return { clock, device, terminal };
}

/** The same board after its start. */
async function running(options: ChattyBoardOptions = {}) {
  const everything = board(options);
  await everything.clock.advance(1_000);
  return everything;
}

const green = '\x1b[0;32m';
const yellow = '\x1b[0;33m';
const red = '\x1b[0;31m';
const plain = '\x1b[0m';
const count = (text: string, piece: string) => text.split(piece).length - 1;

describe('chatty board, starting', () => {
  it('prints the ROM’s lines, a log in colour, and a prompt', async () => {
    const { clock, terminal, device } = board();
    await clock.advance(1_000);
    const { text } = terminal;
    expect(text).toMatch(/^ets [^\r\n]+\r\n\r\nrst:0x1 \(POWERON_RESET\),boot:0x13 \(SPI_FAST_FLASH_BOOT\)\r\n/);
    expect(text).toContain(`\r\n${green}I (24) boot: `);
    expect(count(text, `${plain}\r\n${yellow}W (`)).toBe(1);
    expect(count(text, `${plain}\r\n${red}E (`)).toBe(1);
    expect(text.endsWith(`${plain}\r\ndemo> `)).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(device.state).toBe('running');
  });

  it('has its prompt ready within half a second at 115200 baud', async () => {
    const { clock, terminal } = board();
    await clock.advance(500);
    expect(terminal.text).toContain('demo> ');
  });

  it('says the same in every run with the same seed', async () => {
    const session = async () => {
      const { terminal } = await running({ seed: 5 });
      return (await terminal.ask('info\radc\rsensors on\r', 9_000)) + terminal.text;
    };
    expect(await session()).toBe(await session());
  });

  it('waits for the first open when it is configured to, and not for the next', async () => {
    const clock = new VirtualClock();
    const terminal = new DeviceTerminal(new ChattyBoard({ powerUp: 'first-open' }), clock);
    await clock.advance(1_000);
    terminal.open();
    // DTR asserted without RTS would hold IO0 low. The chip has sampled IO0 by then.
    terminal.wired.setLines({ dtr: true, rts: false });
    await clock.advance(1_000);
    expect(terminal.text).toMatch(/^ets .*demo> $/s);
    terminal.wired.close();
    terminal.take();
    terminal.open();
    await clock.advance(1_000);
    expect(terminal.text).toBe('');
  });

  it('keeps what was typed while it started, as much as its FIFO holds', async () => {
    const { clock, terminal } = board();
    await clock.advance(50);
    terminal.type('utf8\r');
    await clock.advance(1_000);
    expect(terminal.text).toMatch(/demo> utf8\r\nGrüße/);
  });
});

describe('chatty board, reset by DTR and RTS', () => {
  it('stands still while EN is low, forgets everything, and boots when it is released', async () => {
    const { clock, terminal, device } = await running();
    terminal.type('half a li');
    await clock.advance(10);
    terminal.wired.setLines({ dtr: false });
    terminal.take();
    await clock.advance(100);
    expect(device.state).toBe('held');
    expect(terminal.text).toBe('');
    terminal.wired.setLines({ rts: false });
    await clock.advance(1_000);
    expect(terminal.text).toMatch(/^ets .*rst:0x1 \(POWERON_RESET\).*demo> $/s);
  });

  it('waits for a flasher when IO0 is low, and answers nothing until it is reset', async () => {
    const { clock, terminal, device } = await running();
    terminal.wired.setLines({ dtr: false });
    await clock.advance(100);
    terminal.take();
    terminal.wired.setLines({ dtr: true });
    terminal.wired.setLines({ rts: false });
    await clock.advance(50);
    expect(device.state).toBe('download');
    expect(terminal.text).toMatch(
      /rst:0x1 \(POWERON_RESET\),boot:0x3 \(DOWNLOAD_BOOT\(UART0\/UART1\/SDIO_REI_REO_V2\)\)\r\nwaiting for download\r\n$/,
    );
    expect(await terminal.ask('help\r', 1_000)).toBe('');
    terminal.wired.setLines({ rts: true });
    terminal.wired.setLines({ dtr: false });
    await clock.advance(10);
    terminal.wired.setLines({ rts: false });
    await clock.advance(1_000);
    expect(device.state).toBe('running');
  });

  it('is not reset by a port that is opened and closed', async () => {
    const { clock, terminal, device } = await running();
    terminal.wired.setLines({ dtr: false, rts: false });
    terminal.wired.close();
    terminal.open();
    terminal.wired.setLines({ rts: false });
    await clock.advance(100);
    expect(device.state).toBe('running');
    expect(await terminal.ask('\r', 100)).toBe('\r\ndemo> ');
  });

  it('ends every timer when its power goes', async () => {
    const { clock, terminal, device } = await running({ sensors: true });
    terminal.type('load 1000\r');
    await clock.advance(500);
    terminal.wired.detach();
    expect(device.state).toBe('off');
    expect(clock.pending).toBe(0);
  });
});

describe('chatty board, commands', () => {
  it('echoes what is typed, and takes it back', async () => {
    const { terminal } = await running();
    expect(await terminal.ask('hello', 10)).toBe('hello');
    expect(await terminal.ask('\x08\x7f', 10)).toBe('\x08 \x08\x08 \x08');
  });

  it('prompts again after an empty line and after Ctrl+C', async () => {
    const { terminal } = await running();
    expect(await terminal.ask('\n', 10)).toBe('\r\ndemo> ');
    expect(await terminal.ask('abc\x03', 20)).toBe('abc^C\r\ndemo> ');
  });

  it('names a command that it does not know', async () => {
    const { terminal } = await running();
    const answer = await terminal.ask('toString now\r', 50);
    expect(answer).toBe("toString now\r\nunknown command: toString. Type 'help' for the list.\r\ndemo> ");
  });

  it('help: lists every command', async () => {
    const { terminal } = await running();
    const answer = await terminal.ask('help\r\n', 500);
    const names = answer.split('\r\n').flatMap((line) => /^ {2}(\w+)/.exec(line)?.[1] ?? []);
    expect(names).toEqual([
      ...[
        'help',
        'info',
        'i2cscan',
        'adc',
        'sensors',
        'load',
        'stop',
        'utf8',
        'binary',
        'baud',
        'crash',
        'login',
        'reboot',
      ],
    ]);
    expect(answer.endsWith('demo> ')).toBe(true);
  });

  it('info: says what it is, that it is simulated, and for how long it has been up', async () => {
    const { terminal } = await running({ seed: 0x123456 });
    const answer = await terminal.ask('info\r', 100);
    expect(answer).toContain('(simulated)');
    expect(answer).toContain('02:57:42:12:34:56');
    expect(answer).toContain('115200 8N1');
    expect(answer).toContain('rst:0x1 (POWERON_RESET)');
    expect(answer).toMatch(/uptime {5}1\.0 s/);
  });

  it('i2cscan: prints the table of addresses with those that answer', async () => {
    const { terminal } = await running();
    const rows = (await terminal.ask('i2cscan\r', 200)).split('\r\n');
    expect(rows[1]).toBe('     0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f');
    expect(rows[2]).toBe('00:                         -- -- -- -- -- -- -- --');
    expect(rows[5]).toBe('30: -- -- -- -- -- -- -- -- -- -- -- -- 3c -- -- --');
    expect(rows[9]).toBe('70: -- -- -- -- -- -- 76 --                        ');
    expect(rows[10]).toBe('3 devices: 0x3c SSD1306 display, 0x68 DS3231 clock, 0x76 BME280 climate sensor');
  });

  it('adc: reads all inputs, one of them, or one several times', async () => {
    const { clock, terminal } = await running();
    expect((await terminal.ask('adc\r', 100)).match(/^adc\d:\d{1,4} \d+ mV\r$/gm)?.length).toBe(8);
    expect(await terminal.ask('adc 3\r', 100)).toMatch(/^adc 3\r\nadc3:\d{1,4}\r\ndemo> $/);
    expect((await terminal.ask('adc 3 5 100\r', 350)).match(/^adc3:\d+\r$/gm)?.length).toBe(4);
    await clock.advance(100);
    expect(terminal.text).toMatch(/(adc3:\d+\r\n){5}demo> $/);
    expect(await terminal.ask('adc 8\r', 100)).toContain('usage: adc [channel] [count] [interval ms]');
  });

  it('adc: is ended by Ctrl+C', async () => {
    const { terminal } = await running();
    await terminal.ask('adc 0 1000\r', 250);
    expect(await terminal.ask('\x03', 1_000)).toBe('demo> ');
  });

  it('sensors: prints readings every two seconds around what is being typed, until switched off', async () => {
    const { clock, terminal } = await running();
    await terminal.ask('sensors on\r', 100);
    terminal.type('inf');
    await clock.advance(2_000);
    expect(terminal.text.replace(green, '').replace(plain, '')).toMatch(
      /inf\r\nI \(\d+\) sensors: temperature:\d+\.\d\d humidity:\d+\.\d pressure:\d+\.\d\r\ndemo> inf$/,
    );
    await clock.advance(4_000);
    expect(terminal.text.match(/sensors: temperature/g)?.length).toBe(3);
    await terminal.ask('\x03sensors off\r', 100);
    expect(await terminal.ask('', 5_000)).toBe('');
    expect(await terminal.ask('sensors maybe\r', 100)).toContain('usage: sensors on|off');
  });

  it('load: sends exactly the lines of the exported generator, at the rate, and says how many', async () => {
    const { terminal } = await running({ seed: 9 });
    const answer = await terminal.ask('load 5000 4\r', 5_000);
    const lines = loadLineCount(5_000, 4);
    const stream = new TextDecoder().decode(loadLines(0, lines, 9));
    expect(answer).toBe(
      `load 5000 4\r\nload: 5000 bytes/s for 4 s\r\n${stream}load: ${lines} lines, ${lines * 40} bytes\r\ndemo> `,
    );
  });

  it('load: keeps its rate to within 0.1 %', async () => {
    const { clock, terminal } = await running({ baudRate: 3_000_000 });
    terminal.type('load 123456\r');
    await clock.advance(1_000);
    terminal.take();
    await clock.advance(10_000);
    expect(Math.abs(terminal.bytes.length / 1_234_560 - 1)).toBeLessThan(0.001);
  });

  it('load: fills the wire when it is asked for more than the wire carries', async () => {
    const { clock, terminal } = await running();
    terminal.type('load 1000000\r');
    await clock.advance(1_000);
    terminal.take();
    await clock.advance(10_000);
    expect(Math.abs(terminal.bytes.length / 115_200 - 1)).toBeLessThan(0.001);
    // The queue to the wire is bounded, so the output ends soon after Ctrl+C.
    terminal.type('\x03');
    await clock.advance(3_500);
    expect(terminal.text).toMatch(/load: stopped after \d+ lines, \d+ bytes\r\ndemo> $/);
  });

  it.each([
    ['Ctrl+C', '\x03'],
    ['stop', 'stop\r'],
  ])('load: is ended by %s at the end of a line, without an echo in between', async (_name, typed) => {
    const { clock, terminal } = await running();
    await terminal.ask('load 5000\r', 1_000);
    terminal.type(typed);
    await clock.advance(1_000);
    const stopped = /load: stopped after (\d+) lines, \d+ bytes\r\ndemo> $/.exec(terminal.text);
    const lines = Number(stopped?.[1]);
    expect(lines).toBeGreaterThan(100);
    const stream = new TextDecoder().decode(loadLines(0, lines, 1));
    expect(terminal.text).toContain(`load: 5000 bytes/s\r\n${stream}load: stopped after`);
  });

  it('load: refuses what is no rate', async () => {
    const { terminal } = await running();
    for (const args of ['', ' fast', ' 0', ' 10 0', ' 10 1 1', ' -5', ' 1e3']) {
      expect(await terminal.ask(`load${args}\r`, 50)).toContain('usage: load <bytes per second> [seconds]');
    }
  });

  it('stop: says that nothing is running', async () => {
    const { terminal } = await running();
    expect(await terminal.ask('stop\r', 50)).toBe('stop\r\nnothing is running\r\ndemo> ');
  });

  it.each([
    ['the right password', 'solder-and-flux', 'Welcome.'],
    ['another one', 'hunter2', 'Login incorrect'],
  ])('login: asks for a password and does not echo it, for %s', async (_name, password, answer) => {
    const { terminal } = await running();
    expect(await terminal.ask('login\r', 100)).toBe('login\r\nPassword: ');
    expect(await terminal.ask(password, 100)).toBe('');
    expect(await terminal.ask('\r', 100)).toBe(`\r\n${answer}\r\ndemo> `);
  });

  it('login: is ended by Ctrl+C, and takes stop for a password', async () => {
    const { terminal } = await running();
    await terminal.ask('login\r', 100);
    expect(await terminal.ask('stop\r', 100)).toBe('\r\nLogin incorrect\r\ndemo> ');
    await terminal.ask('login\r', 100);
    expect(await terminal.ask('\u0003', 100)).toBe('\r\ndemo> ');
  });

  it('utf8: prints characters of one to four bytes', async () => {
    const { terminal } = await running();
    const answer = await terminal.ask('utf8\r', 100);
    for (const piece of ['Grüße', '東京', 'Привет', '🚀']) {
      expect(answer).toContain(piece);
    }
  });

  it('binary: sends each byte once', async () => {
    const { terminal } = await running();
    await terminal.ask('binary\r', 100);
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(terminal.bytes.subarray('binary\r\n'.length, 'binary\r\n'.length + 256)).toEqual(all);
  });

  it('baud: answers at the old rate, then goes on at the new one, until it is reset', async () => {
    const { clock, terminal, device } = await running();
    terminal.wired.open({ baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none' });
    expect(await terminal.ask('baud 921600\r', 100)).toMatch(/^baud 921600\r\nswitching to 921600 baud\r\n/);
    expect(device.link.baudRate).toBe(921_600);
    terminal.wired.open({ baudRate: 921_600, dataBits: 8, stopBits: 1, parity: 'none' });
    expect(await terminal.ask('\r', 100)).toBe('\r\ndemo> ');
    terminal.type('reboot\r');
    await clock.advance(100);
    expect(device.link.baudRate).toBe(115_200);
  });

  it('crash: prints a panic with a backtrace, and starts again after it', async () => {
    const { clock, terminal } = await running();
    await terminal.ask('crash\r', 100);
    await clock.advance(1_000);
    const { text } = terminal;
    expect(text).toContain("Guru Meditation Error: Core  1 panic'ed (LoadProhibited). Exception was unhandled.\r\n");
    expect(text).toMatch(
      /^PC {6}: 0x400d5b3e {2}PS {6}: 0x00060f30 {2}A0 {6}: 0x800d5c81 {2}A1 {6}: 0x3ffb4e10 {2}\r$/m,
    );
    expect(text).toMatch(/^Backtrace: (0x4[0-9a-f]{7}:0x3[0-9a-f]{7} ?)+\r$/m);
    expect(text).toMatch(/Rebooting\.\.\.\r\nets .*rst:0xc \(SW_CPU_RESET\),boot:0x13.*demo> $/s);
    expect(await terminal.ask('info\r', 100)).toContain('rst:0xc (SW_CPU_RESET)');
  });

  it.each(crashKinds)(
    'crash %s: prints a core dump at the rate of its UART, and starts again behind it',
    async (kind) => {
      const { clock, device, terminal } = await running();
      await terminal.ask(`crash ${kind}\r`, 100);
      expect(device.state).toBe('panicking');
      const soFar = terminal.text;
      expect(soFar).not.toContain('CORE DUMP END');
      await clock.advance(3_000);
      const { text } = terminal;
      const [, dump = ''] = /CORE DUMP START =+\r\n([\s\S]*)\r\n=+ CORE DUMP END/.exec(text) ?? [];
      expect(dump).toMatch(/^(?:[A-Za-z0-9+/=]{4,64}\r\n)+[A-Za-z0-9+/=]{4,64}$/);
      expect(text).toMatch(/Rebooting\.\.\.\r\nets .*rst:0xc \(SW_CPU_RESET\),boot:0x13.*demo> $/s);
    },
  );

  it('crash: says how it is used when it was asked for another way', async () => {
    const { terminal } = await running();
    expect(await terminal.ask('crash badly\r', 100)).toContain('usage: crash [null|assert|watchdog|stack|task]');
  });

  it('reboot: starts again once, also when it was ended with CRLF', async () => {
    const { clock, terminal } = await running();
    await terminal.ask('reboot\r', 1);
    terminal.type('\n');
    await clock.advance(1_000);
    const answer = terminal.text;
    expect(answer).toMatch(/^reboot\r\nets .*rst:0xc \(SW_CPU_RESET\).*demo> $/s);
    expect(answer.match(/demo> /g)?.length).toBe(1);
  });
});
