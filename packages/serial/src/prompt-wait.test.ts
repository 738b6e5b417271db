import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PromptWait, promptIn } from './prompt-wait.ts';
import { cutAt, utf8 } from './testing/line-channels.ts';

/** Returns true if the prompt has come when all pieces were taken. */
const hasCome = (prompt: string, ...pieces: string[]) => {
  const wait = new PromptWait({ prompt });
  return pieces.some((piece) => wait.take(utf8(piece)) !== -1);
};

describe('a prompt', () => {
  it('comes on a line of its own, behind the output of a command', () => {
    expect(hasCome('gw>', 'wifi status\r\n', 'ssid bench\r\n', 'gw> ')).toBe(true);
    expect(hasCome('gw>', 'wifi status\r\n', 'ssid bench\r\n', 'gw')).toBe(false);
  });

  it('is not a line that an editor draws again with every echoed key', () => {
    expect(hasCome('gw>', '\rgw> ', 'w\u001b[0K\r\u001b[5C', '\rgw> wi', '\u001b[0K\r\u001b[6C')).toBe(false);
    expect(hasCome('gw>', '\rgw> w\u001b[0K', '\r\n', '\u001b[0;32mgw> \u001b[0m')).toBe(true);
  });

  it('is not an echoed comment or a line of output if it is one character', () => {
    expect(hasCome('#', '#', ' note\r\n', '# of files: 3\r\n')).toBe(false);
    expect(hasCome('#', '# note\r\n', '# ')).toBe(true);
  });

  it('may have a line of the log behind it', () => {
    expect(hasCome('gw>', 'heap\r\n214416\r\ngw> I (2630) mqtt: connected\r\n')).toBe(true);
  });

  it('may come alone from a board without echo', () => {
    expect(hasCome('ok>', 'ok> ')).toBe(true);
  });

  it('comes behind marks that are longer than any prompt, as systemd 258 writes them', () => {
    const facts = 'user=root;hostname=rk3588;machineid=3deb5353d3ba43d08201c136a47ead7b;bootid=6ca1a2b9;pid=1134';
    const mark = (kind: string) => `\x1b]3008;${kind}=0dc59a1c-7a1f-4b4c-9b8e;${facts};cwd=/root\x1b\\`;
    const marks = mark('end') + mark('start') + mark('end') + mark('start');
    const line = `${marks}\x1b[?2004hroot@rk3588:~# \x1b]133;B\x07`;
    expect(utf8(line).length).toBeGreaterThan(514);
    for (const command of ['cd /root', 'export A=1', 'mkdir -p x']) {
      expect(hasCome('root@rk3588:~#', `${command}\r\n\x1b[?2004l\r`, line)).toBe(true);
      expect(hasCome('root@rk3588:~#', `${command}\r\n`, line.slice(0, -12))).toBe(false);
    }
  });

  it('is found in bounded memory behind a mark that never ends', () => {
    const wait = new PromptWait({ prompt: 'gw>' });
    for (let piece = 0; piece < 1_000; piece++) {
      expect(wait.take(utf8(piece === 0 ? 'ls\r\n\x1b]3008;' : 'x'.repeat(1_000)))).toBe(-1);
    }
    expect(wait.take(utf8('\r\ngw> '))).not.toBe(-1);
  });

  it('asks for the rest of a command, too', () => {
    expect(hasCome('>>>', 'def f():\r\n... ')).toBe(true);
    expect(hasCome('root@board:~#', 'for i in 1 2\r\n> ')).toBe(true);
  });

  it('comes no later than the last piece, at any chunk size', () => {
    const stream = utf8('wifi status\r\nssid bench-lab\r\n\u001b[0;32mgw> \u001b[0m');
    fc.assert(
      fc.property(fc.array(fc.nat({ max: stream.length }), { maxLength: 8 }), (cuts) => {
        const wait = new PromptWait({ prompt: 'gw>' });
        const pieces = cutAt(stream, cuts);
        const before = pieces.filter((piece) => piece.length > 0);
        expect(before.some((piece) => wait.take(piece) !== -1)).toBe(true);
      }),
    );
  });

  it('cannot be blank', () => {
    expect(() => new PromptWait({ prompt: ' ' })).toThrow(RangeError);
  });
});

describe('the prompt of a port', () => {
  it('is the line in which its board waits', () => {
    expect(promptIn(['I (12) boot', 'root@board: ~ # '], true)).toBe('root@board: ~ #');
    expect(promptIn(['>>> '], true)).toBe('>>>');
  });

  it('is the newest line that was one, when others came behind it', () => {
    expect(promptIn(['old>', 'gw> ', 'I (2630) mqtt: connected'], false)).toBe('gw>');
  });

  it.each([[[]], [['I (12) boot: done']], [['progress 100 %']], [['<html>'.repeat(20)]]])('is null in %j', (lines) => {
    expect(promptIn(lines, false)).toBeNull();
  });
});
