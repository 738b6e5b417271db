import { describe, expect, it } from 'vitest';
import { EnterWatch } from './enter-watch.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** A port: `>` sends, `<` receives, and `.` lets the time for an answer pass. */
function talk(...steps: readonly string[]) {
  const watch = new EnterWatch();
  for (const step of steps) {
    const text = utf8(step.slice(1));
    if (step.startsWith('>')) {
      watch.sent(text);
    } else if (step.startsWith('<')) {
      watch.received(text);
    } else {
      watch.due();
    }
  }
  return watch.signs;
}

describe('prompt of Python', () => {
  it('is recognised at any chunk boundary, with its banner or without', () => {
    expect(talk('<MicroPython v1.27.0\r\nType "help()" for more information.\r\n>>> ').isPython).toBe(true);
    expect(talk('<\r\n>', '<>', '<> ').isPython).toBe(true);
    expect(talk('<>>> ').isPython).toBe(true);
    expect(talk('<\r\n\x1b[32m>>> \x1b[0m', '<print(1)\r\n1\r\n>>> ').isPython).toBe(true);
  });

  it('is not recognised in text with the same characters', () => {
    expect(talk('<doc: >>> ', '< >>> help\r\n', '<>>>> ').isPython).toBe(false);
    expect(talk('<demo> ').isPython).toBe(false);
  });

  it('stays until the port is closed', () => {
    const watch = new EnterWatch();
    watch.received(utf8('>>> '));
    watch.received(utf8('print(1)\r\n1\r\n'));
    expect(watch.signs.isPython).toBe(true);
    watch.reset();
    expect(watch.signs.isPython).toBe(false);
  });
});

describe('a line that a board echoes and does not run', () => {
  it('makes CR expected after LF, and CR LF after CR', () => {
    expect(talk('<> ', '>help\n', '<he', '<lp', '.')).toMatchObject({ expected: 'cr', sent: 'lf' });
    expect(talk('<ok> ', '>help\r', '<help', '.')).toMatchObject({ expected: 'crlf', sent: 'cr' });
  });

  it('is seen behind a prompt that the board paints again for each key', () => {
    expect(talk('<esp32> ', '>help\n', '<\resp32> h\x1b[0K\resp32> he\x1b[0K\resp32> help\x1b[0K', '.').expected).toBe(
      'cr',
    );
  });

  it('is seen behind more marks than a line has text', () => {
    const mark = `\x1b]3008;start=${'0'.repeat(700)}\x1b\\`;
    expect(talk(`<${mark}${mark}ok> ${mark}`, '>help\n', `<${mark}${mark}help`, '.')).toMatchObject({
      expected: 'cr',
      sent: 'lf',
    });
  });

  it('is not found if the board answers, goes to a new line, or has no prompt', () => {
    expect(talk('<> ', '>help\n', '<help\r\nhelp, info\r\n> ', '.').expected).toBeNull();
    // A command that takes long, such as `sleep 10` of a shell.
    expect(talk('<$ ', '>sleep 10\n', '<sleep 10\r\n', '.').expected).toBeNull();
    expect(talk('<ready\r\n', '>hello\n', '<hello', '.').expected).toBeNull();
    // A password is not echoed.
    expect(talk('<Password: ', '>secret\n', '.').expected).toBeNull();
    expect(talk('<> ', '>help\r\n', '<help', '.').expected).toBeNull();
  });

  it('is not found if the board answers with megabytes, or with a newline behind a long line', () => {
    const watch = new EnterWatch();
    watch.received(utf8('> '));
    watch.sent(utf8('load\n'));
    for (let chunk = 0; chunk < 2_000; chunk++) {
      watch.received(utf8('0123456789abcde\n'.repeat(64)));
    }
    expect(watch.due()).toBe(false);
    expect(talk('<> ', '>load\n', `<load${'x'.repeat(2_000)}\r\n> load`, '.').expected).toBeNull();
  });

  it('is forgotten when the board continues', () => {
    expect(talk('<> ', '>help\n', '<help', '.', '>\r', '<\r\nhelp, info\r\n> ', '.').expected).toBeNull();
    expect(talk('<> ', '>help\n', '<help', '.', '<\r\nhelp, info\r\n> ').expected).toBeNull();
  });
});

describe('a modem', () => {
  it('expects CR LF after a command without an answer, with an echo or without', () => {
    expect(talk('>AT\n', '.')).toMatchObject({ expected: 'crlf', isModem: true });
    expect(talk('>AT+GMR\n', '<AT+GMR\n', '.').expected).toBe('crlf');
    expect(talk('>ATE0\r', '<ATE0\r', '.').expected).toBe('crlf');
    expect(talk('>AT\n', '<\x1b]0;modem\x07', '.').expected).toBe('crlf');
  });

  it('expects nothing else once it answers', () => {
    expect(talk('>AT\n', '<AT\r\n\r\nOK\r\n', '.').expected).toBeNull();
    expect(talk('>ATTACH sensor\n', '.').expected).toBeNull();
  });
});
