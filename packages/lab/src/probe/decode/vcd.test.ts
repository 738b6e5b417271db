import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHighAt, vcdOf, type Wave, waveOf } from '../index.ts';

interface Dump {
  readonly names: readonly string[];
  /** Times and levels by identifier code. */
  readonly changes: ReadonlyMap<string, readonly (readonly [number, boolean])[]>;
  readonly end: number;
}

/** Parses the grammar of IEEE Std 1364-2005, syntax 18-2 and 18-3, and throws for any other text. */
function parseVcd(text: string): Dump {
  const tokens = text.split(/\s+/).filter((token) => token !== '');
  const names: string[] = [];
  const changes = new Map<string, [number, boolean][]>();
  let time = -1;
  let isDefined = false;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    if (['$date', '$version', '$timescale', '$scope', '$var', '$upscope', '$enddefinitions'].includes(token)) {
      const end = tokens.indexOf('$end', at);
      const words = tokens.slice(at + 1, end);
      if (isDefined || end < 0) {
        throw new Error(`${token} stands where it may not.`);
      }
      if (token === '$timescale' && !/^(1|10|100)\s?(s|ms|us|ns|ps|fs)$/.test(words.join(' '))) {
        throw new Error(`${words.join(' ')} is no time scale.`);
      }
      if (token === '$var') {
        const [type, size, code = '', name = ''] = words;
        if (type !== 'wire' || size !== '1' || !/^[!-~]+$/.test(code) || !/^[A-Za-z_][\w$]*$/.test(name)) {
          throw new Error(`${words.join(' ')} is no variable.`);
        }
        names.push(name);
        changes.set(code, []);
      }
      isDefined = token === '$enddefinitions';
      at = end;
    } else if (/^#\d+$/.test(token)) {
      const next = Number(token.slice(1));
      if (!isDefined || next < time) {
        throw new Error(`${token} goes back in time.`);
      }
      time = next;
    } else if (token !== '$dumpvars' && token !== '$end') {
      const code = changes.get(token.slice(1));
      if (code === undefined || !/^[01]/.test(token) || time < 0) {
        throw new Error(`${token} is no value change.`);
      }
      code.push([time, token[0] === '1']);
    }
  }
  return { names, changes, end: time };
}

const wave: Wave = { isHighAtFirst: true, edges: [100, 250], end: 1_000 };

describe('a value change dump', () => {
  it('has the levels at first and every change', () => {
    const dump = parseVcd(
      vcdOf(
        [
          { name: 'SCL', wave },
          { name: 'SDA', wave: { ...wave, edges: [] } },
        ],
        'today',
      ),
    );
    expect(dump.names).toEqual(['SCL', 'SDA']);
    expect([...dump.changes.values()]).toEqual([
      [
        [0, true],
        [100, false],
        [250, true],
      ],
      [[0, true]],
    ]);
    expect(dump.end).toBe(1_000);
  });

  it('makes identifiers of any names', () => {
    const names = ['GPIO 21', '4', '$end', 'µ'];
    expect(
      parseVcd(
        vcdOf(
          names.map((name) => ({ name, wave })),
          '$end $var',
        ).toString(),
      ).names,
    ).toEqual(['GPIO_21', '_4', '_end', '_']);
  });

  it('has as many codes as there are lines', () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ name: `line${index}`, wave }));
    expect(parseVcd(vcdOf(many, '')).changes.size).toBe(200);
  });

  it('says the same as the wave at every sample', () => {
    const runs = fc.array(fc.record({ samples: fc.integer({ min: 1, max: 9 }), levels: fc.nat(1) }), { minLength: 1 });
    fc.assert(
      fc.property(runs, (captured) => {
        const drawn = waveOf(captured, 0, 50);
        const [changes = []] = parseVcd(vcdOf([{ name: 'a', wave: drawn }], '')).changes.values();
        const samples = captured.flatMap(({ samples: count, levels }) =>
          Array.from({ length: count }, () => levels === 1),
        );
        expect(samples.map((_, index) => changes.findLast(([at]) => at <= index * 50)?.[1])).toEqual(samples);
        expect(samples.map((_, index) => isHighAt(drawn, index * 50))).toEqual(samples);
      }),
    );
  });
});
