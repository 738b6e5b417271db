import type { LineStep } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { type ClientRig, comPort, control, openedClient } from './testing/com-port-client.ts';

/** A port that takes whole sequences, as a remote port does. */
class PlayingPort extends FakeSerialPort {
  readonly played: (readonly LineStep[])[] = [];

  async playSteps(steps: readonly LineStep[]): Promise<void> {
    this.played.push(steps);
  }
}

describe('control lines', () => {
  /** Sends esptool's ClassicReset as pySerial does: 50 ms for each call. */
  async function reset(client: ClientRig) {
    const { clock, send } = client;
    const call = async (...bytes: number[]) => {
      await send(...bytes);
      await clock.advance(50);
    };
    // Opening the port: no flow control, RTS, DTR, and two purges.
    for (const bytes of [control(1), control(11), control(8), comPort(12, 1), comPort(12, 2)]) {
      await call(...bytes);
    }
    for (const [value, pause] of [
      [9, 0],
      [11, 0],
      [9, 100],
      [8, 0],
      [12, 0],
      [8, 50],
      [9, 0],
    ] as const) {
      await call(...control(value));
      await clock.advance(pause);
    }
  }

  it('are answered at once and played as one reset, with the client’s pauses', async () => {
    const port = new PlayingPort();
    const { client, clock, answers } = await openedClient(port);
    await reset(client);
    expect(answers()).toEqual(
      [1, 11, 8]
        .map((value) => [105, value])
        .concat(
          [
            [112, 1],
            [112, 2],
          ],
          [9, 11, 9, 8, 12, 8, 9].map((value) => [105, value]),
        ),
    );
    await clock.advance(300);
    expect(port.played).toEqual([
      [
        [false, true, 100],
        [true, false, 50],
        [false, false, 0],
      ],
    ]);
  });

  it('are played before the next bytes of the client', async () => {
    const port = new PlayingPort();
    const { client, send } = await openedClient(port);
    await reset(client);
    expect(port.played).toEqual([]);
    await send(0xc0);
    expect(port.played).toHaveLength(1);
    expect(port.written).toEqual([0xc0]);
  });

  it('are played step by step by this side if the port cannot play sequences', async () => {
    const port = new FakeSerialPort();
    const { client, clock } = await openedClient(port);
    await reset(client);
    const before = port.calls.length;
    await clock.advance(500);
    expect(port.calls.slice(before)).toEqual(['lines - RTS', 'lines DTR -', 'lines - -']);
  });

  it('are still played if the client leaves, before the port is closed', async () => {
    const port = new PlayingPort();
    const { send, session, run } = await openedClient(port);
    await send(...control(11), ...control(9), ...control(12));
    await run(session.close());
    expect(port.played).toHaveLength(1);
    expect(port.calls.at(-1)).toBe('close');
  });

  it('can be queried', async () => {
    const { send, answers } = await openedClient(new FakeSerialPort());
    await send(
      ...control(7),
      ...control(10),
      ...control(9),
      ...control(7),
      ...control(4),
      ...control(5),
      ...control(4),
    );
    expect(answers().map(([, value]) => value)).toEqual([8, 11, 9, 9, 6, 5, 5]);
  });

  it('include break, for as long as the client holds it, and a Telnet break of its own length', async () => {
    const { port, send, clock } = await openedClient(new FakeSerialPort());
    await send(...control(5));
    await send(...control(6));
    await send(255, 243);
    await clock.advance(100);
    expect(port.calls.slice(1)).toEqual(['lines . . break', 'lines . .', 'lines . . break']);
    await clock.advance(200);
    expect(port.calls.at(-1)).toBe('lines . .');
  });

  it('are played even if they never stop changing', async () => {
    const port = new PlayingPort();
    const { send, clock } = await openedClient(port);
    for (let count = 0; count < 300; count++) {
      await send(...control(count % 2 === 0 ? 9 : 8));
      await clock.advance(20);
    }
    await clock.advance(1_000);
    expect(port.played.flat()).toHaveLength(300);
    expect(Math.max(...port.played.map((steps) => steps.length))).toBeLessThanOrEqual(64);
  });
});
