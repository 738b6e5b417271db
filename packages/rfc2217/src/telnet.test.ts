import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeSub, escaped, TelnetReader } from './telnet.ts';

/** Lists what a stream contains. Adjacent chunks of data are joined. */
function read(chunks: readonly Uint8Array[], isBinary = true): (string | number[])[] {
  const said: (string | number[])[] = [];
  const reader = new TelnetReader({
    data: (bytes) => {
      const last = said.at(-1);
      if (Array.isArray(last)) {
        last.push(...bytes);
      } else {
        said.push([...bytes]);
      }
    },
    command: (code) => said.push(`command ${code}`),
    negotiate: (verb, option) => said.push(`negotiate ${verb} ${option}`),
    sub: (bytes) => said.push(`sub ${[...bytes].join(' ')}`),
  });
  reader.isBinary = isBinary;
  for (const chunk of chunks) {
    reader.receive(chunk);
  }
  return said;
}

const bytes = (...list: number[]) => Uint8Array.from(list);

/** Bytes with many of Telnet's own codes. */
const telnetBytes = fc
  .array(fc.oneof(fc.constantFrom(255, 240, 250, 251, 252, 253, 254, 44, 13, 0), fc.integer({ min: 0, max: 255 })), {
    maxLength: 200,
  })
  .map((list) => Uint8Array.from(list));

describe('a Telnet stream', () => {
  it('has data, commands, negotiation and subnegotiation', () => {
    const stream = bytes(1, 255, 255, 2, 255, 243, 255, 251, 44, 255, 250, 44, 1, 0, 255, 255, 3, 255, 240, 9);
    expect(read([stream])).toEqual([[1, 255, 2], 'command 243', 'negotiate 251 44', 'sub 44 1 0 255 3', [9]]);
  });

  it('says the same however it is cut', () => {
    fc.assert(
      fc.property(telnetBytes, fc.array(fc.nat(200), { maxLength: 20 }), fc.boolean(), (stream, cuts, isBinary) => {
        const places = [0, ...cuts.map((cut) => Math.min(cut, stream.length)), stream.length].sort((a, b) => a - b);
        const chunks = places.slice(1).map((end, at) => stream.subarray(places[at], end));
        expect(read(chunks, isBinary)).toEqual(read([stream], isBinary));
      }),
    );
  });

  it('carries any data', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (data) => {
        expect(read([escaped(data)])).toEqual(data.length === 0 ? [] : [[...data]]);
      }),
    );
  });

  it('carries any text of a subnegotiation', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (content) => {
        expect(read([encodeSub(content)])).toEqual([`sub ${[...content].join(' ')}`]);
      }),
    );
  });

  it('without binary transmission has a NUL behind each CR that is not data', () => {
    const stream = bytes(65, 13, 0, 66, 13, 10, 0, 13);
    expect(read([stream, bytes(0)], false)).toEqual([[65, 13, 66, 13, 10, 0, 13]]);
    expect(read([stream], true)).toEqual([[...stream]]);
  });

  it('does not keep a subnegotiation that never ends, and goes on behind it', () => {
    const endless = new Uint8Array(1_000_000).fill(7);
    expect(read([bytes(255, 250, 44), endless, bytes(255, 240, 5)])).toEqual([[5]]);
  });

  it('takes the next command for the end of a subnegotiation that has lost its own', () => {
    expect(read([bytes(255, 250, 44, 1, 255, 253, 44, 8)])).toEqual(['negotiate 253 44', [8]]);
  });
});
