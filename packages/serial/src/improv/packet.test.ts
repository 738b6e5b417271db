import { random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { encodePacket, type Packet, PacketStream, packetType } from './packet.ts';
import { packetBytes } from './testing/improv-board.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const plain = (packets: readonly Packet[]) => packets.map(({ type, data }) => [type, ...data]);

/** Passes `bytes` in pieces of `size` and returns all that came of them, the rest included. */
function streamed(bytes: Uint8Array, size: number) {
  const stream = new PacketStream();
  let seen = '';
  const packets: Packet[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = stream.take(bytes.slice(at, at + size));
    seen += text(part.text);
    packets.push(...part.packets);
  }
  const rest = stream.rest();
  return { text: seen + text(rest.text), packets: plain([...packets, ...rest.packets]) };
}

describe('packets', () => {
  it('are encoded as in the example of the document', () => {
    const name = utf8('MyWirelessAP');
    const password = utf8('mysecurepassword');
    const data = Uint8Array.of(1, 0x1e, 0x0c, ...name, 0x10, ...password);
    const bytes = encodePacket({ type: packetType.command, data });
    expect([...bytes.slice(0, 12)]).toEqual([...utf8('IMPROV'), 1, 3, 32, 1, 0x1e, 0x0c]);
    expect([...bytes]).toEqual([...packetBytes(3, [...data]), 0x0a]);
  });

  it('refuses more data than a length byte can say', () => {
    expect(() => encodePacket({ type: 3, data: new Uint8Array(256) })).toThrow(RangeError);
  });

  const state = packetBytes(1, [2]);
  const result = packetBytes(4, [3, 4, 3, 65, 66, 67]);
  const whole = Uint8Array.from([...utf8('I (12) boot\r\nIMPRO'), ...state, ...utf8('IMPROVED\n'), ...result, 73]);

  it.each([1, 2, 3, 7, 8, 9, 10, 11, 500])('are found between lines of a log, in pieces of %i', (size) => {
    expect(streamed(whole, size)).toEqual({
      text: 'I (12) boot\r\nIMPROIMPROVED\nI',
      packets: [
        [1, 2],
        [4, 3, 4, 3, 65, 66, 67],
      ],
    });
  });

  it.each([1, 4, 500])('take the line ending behind them along, in pieces of %i', (size) => {
    const bytes = Uint8Array.from([...state, 10, ...state, 13, 10, ...utf8('next\n'), ...state, 13, 65]);
    expect(streamed(bytes, size)).toMatchObject({ text: 'next\nA' });
    expect(streamed(bytes, size).packets).toHaveLength(3);
  });

  it('are text if their checksum is wrong', () => {
    const damaged = [...state];
    damaged[9] = 3;
    const bytes = Uint8Array.from([...damaged, ...result]);
    expect(streamed(bytes, 3).packets).toEqual([[4, 3, 4, 3, 65, 66, 67]]);
    expect(streamed(bytes, 3).text).toContain('IMPROV');
  });

  it('are found behind one that lost bytes', () => {
    const cut = result.slice(0, 12);
    expect(streamed(Uint8Array.from([...cut, ...state, ...result]), 5).packets).toEqual([
      [1, 2],
      [4, 3, 4, 3, 65, 66, 67],
    ]);
  });

  it('are found behind one that is too long, after a pause', () => {
    const wrong = [...state];
    wrong[8] = 250;
    const stream = new PacketStream();
    const first = stream.take(Uint8Array.from([...wrong, ...result]));
    expect(first.packets).toEqual([]);
    expect(stream.isWaiting).toBe(true);
    expect(plain(stream.rest().packets)).toEqual([[4, 3, 4, 3, 65, 66, 67]]);
    expect(stream.isWaiting).toBe(false);
  });

  it('are text if their version is later', () => {
    const later = [...utf8('IMPROV'), 2, 1, 1, 2, 99];
    expect(streamed(Uint8Array.from(later), 4)).toMatchObject({ packets: [] });
    expect(streamed(Uint8Array.from(later), 4).text).toContain('IMPROV');
  });

  it.each([1, 6, 500])('leave no password in the text when they are echoed damaged, in pieces of %i', (size) => {
    const settings = packetBytes(3, [1, 12, 3, 108, 97, 98, 7, ...utf8('hunter2')]);
    const damaged = [...settings];
    damaged[14] = 0;
    const cut = settings.slice(0, -3);
    for (const echo of [settings, damaged, cut]) {
      const { text: seen } = streamed(Uint8Array.from([...utf8('> '), ...echo, ...state, ...utf8('ok')]), size);
      expect(seen).toBe('> ok');
    }
  });

  it('lose no byte of any noise', () => {
    const { below } = random('noise');
    const letters = [...utf8('IMPROV'), 1, 0, 4, 10, 65];
    for (let run = 0; run < 300; run++) {
      const bytes = Uint8Array.from({ length: below(60) }, () => letters[below(letters.length)] ?? 0);
      const { text: seen, packets } = streamed(bytes, 1 + below(9));
      if (packets.length === 0) {
        expect(seen).toBe(text(bytes));
      }
    }
  });
});
