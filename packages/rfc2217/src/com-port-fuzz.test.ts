import { FakeSerialPort } from '@wirebench/port/testing';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientOf, comPort } from './testing/com-port-client.ts';

describe('any bytes', () => {
  const numRuns = isLong ? 2_000 : 60;
  const hostile = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(255, 240, 250, 251, 252, 253, 254, 243, 44) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 20 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
    ),
    { maxLength: 400 },
  );
  const commands = fc
    .array(
      fc.oneof(
        hostile,
        fc
          .tuple(fc.integer({ min: 0, max: 13 }), fc.uint8Array({ maxLength: 6 }))
          .map(([name, value]) => comPort(name, ...value)),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.flat());

  it('end in an open or a closed port, never in an error or in waiting for ever', async () => {
    await fc.assert(
      fc.asyncProperty(commands, fc.integer({ min: 1, max: 50 }), async (stream, cut) => {
        const port = new FakeSerialPort();
        const client = clientOf(port);
        for (let at = 0; at < stream.length; at += cut) {
          await client.send(...stream.slice(at, at + cut));
        }
        await client.clock.advance(5_000);
        await client.run(client.session.close());
        expect(port.isOpen).toBe(false);
        expect(client.ends).toEqual([]);
      }),
      { numRuns },
    );
  });

  it('have the same effect however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        commands,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
        async (stream, cuts) => {
          const effectOf = async (pieces: readonly (readonly number[])[]) => {
            const port = new FakeSerialPort();
            const client = clientOf(port);
            for (const piece of pieces) {
              client.session.receive(Uint8Array.from(piece));
            }
            await client.clock.advance(10_000);
            await client.run(client.session.close());
            return { written: port.written, opened: port.openedWith.at(-1), got: client.got };
          };
          const pieces: number[][] = [];
          for (let at = 0, turn = 0; at < stream.length; turn++) {
            const length = cuts[turn % cuts.length] ?? 1;
            pieces.push(stream.slice(at, at + length));
            at += length;
          }
          expect(await effectOf(pieces)).toEqual(await effectOf([stream]));
        },
      ),
      { numRuns },
    );
  });
});
