/** Programs that run in a simulated chip on the chip's clock. */
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { joined } from '../byte-fields.ts';
import type { EspDeviceOptions } from '../esp/options.ts';
import { EspHost, words } from '../esp/testing/esp-host.ts';
import { hexOf } from '../testing/hex.ts';
import { TimerGroup } from '../wire/timer-group.ts';
import { programIn } from './ram-program.ts';
import { riscvWords } from './testing/processors.ts';

/** 1: lw a1, STATUS; andi a1, a1, 0x3ff; beqz a1, 1b; lw a2, FIFO; sw a2, FIFO; j 1b: with lui a0 before it. */
const echoRiscv = Uint8Array.from(
  riscvWords(0x60000537, 0x01c52583, 0x3ff5f593, 0xfe058ce3, 0x00052603, 0x00c52023, 0xfedff06f),
);
/**
 * The same on Xtensa: l32r a2; l32i.n a3; extui a3; beqz a3; l32i.n a4; s32i.n a4; j, after a jump over the literal.
 */
const echoXtensa = Uint8Array.from(Buffer.from('060100000000f43f21ffff38723030741673ff4802490206fcff0000', 'hex'));
/** ebreak; then an instruction of 0. */
const breaks = Uint8Array.from(riscvWords(0x00100073, 0));
/** A loop of adds without register accesses: addi a0, a0, 1; j to itself. */
const counts = Uint8Array.from(riscvWords(0x00150513, 0xffdff06f));

async function started(
  chip: 'esp32' | 'esp32c3',
  program: Uint8Array,
  options: Partial<EspDeviceOptions> = {},
): Promise<EspHost> {
  const host = new EspHost({ chip, ...options });
  host.open();
  await ('powerUp' in options ? host.clock.advance(100) : host.enterDownload());
  await host.sync();
  const address = chip === 'esp32' ? 0x40090000 : 0x40390000;
  await host.ask(0x05, words(program.length, 1, 0x1800, address));
  await host.sendBlock(0x07, 0, program);
  await host.ask(0x06, words(0, address));
  return host;
}

async function echoed(host: EspHost, bytes: Uint8Array, milliseconds = 500): Promise<string> {
  host.terminal.take();
  host.terminal.wired.send(bytes);
  await host.clock.advance(milliseconds);
  return hexOf(host.terminal.take());
}

describe.each([
  { chip: 'esp32', program: echoXtensa },
  { chip: 'esp32c3', program: echoRiscv },
] as const)('a program in the RAM of an $chip', ({ chip, program }) => {
  it('owns UART0: no loader answers, every byte goes through the program', async () => {
    const host = await started(chip, program);
    expect(host.device.state).toBe('program');
    const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => index & 0xff);
    expect(await echoed(host, bytes)).toBe(hexOf(bytes));
    // The program echoes a SYNC unchanged.
    expect(await echoed(host, Uint8Array.of(0xc0, 0, 8, 0xc0))).toBe('c00008c0');
  });

  it('answers at once after it has waited for a minute', async () => {
    const host = await started(chip, program);
    await host.clock.advance(60_000);
    expect(await echoed(host, Uint8Array.of(1, 2, 3), 3)).toBe('010203');
  });

  it('ends with a reset', async () => {
    const host = await started(chip, program);
    expect(await host.restart()).toContain('rst:0x1');
    expect(host.device.state).toBe('running');
    await host.enterDownload();
    expect(await host.sync()).toHaveLength(8);
  });

  it('ends with the power', async () => {
    const host = await started(chip, program);
    host.terminal.wired.detach();
    expect(host.device.state).toBe('off');
    await host.clock.advance(100);
    expect(host.device.state).toBe('off');
  });
});

describe('a program in RAM', () => {
  it('leaves the chip silent until a reset when it hits a breakpoint', async () => {
    const host = await started('esp32c3', breaks);
    expect(host.device.state).toBe('crashed');
    expect(host.device.programFault).toMatchObject({ pc: 0x40390000, fault: { code: 'breakpoint' } });
    expect(await echoed(host, Uint8Array.of(1))).toBe('');
    await host.enterDownload();
    expect(await host.sync()).toHaveLength(8);
  });

  it('crashes the chip if it was started without an upload', async () => {
    const host = await started('esp32c3', echoRiscv);
    await host.enterDownload();
    await host.sync();
    await host.ask(0x06, words(0, 0x40390000));
    expect(host.device.state).toBe('crashed');
  });

  it("counts as the stub if it holds the stub's greeting, as bytes or in an instruction", async () => {
    const text = joined(echoRiscv, new TextEncoder().encode('OHAI'));
    expect((await started('esp32c3', text)).device.state).toBe('stub');
    // lui a5, 0x49415
    expect((await started('esp32c3', joined(echoRiscv, words(0x494157b7)))).device.state).toBe('stub');
  });

  it('counts as the stub on a chip whose processor has no interpreter', async () => {
    const host = new EspHost({ chip: 'esp32s3' });
    host.open();
    await host.enterDownload();
    await host.sync();
    await host.ask(0x05, words(echoRiscv.length, 1, 0x1800, 0x40378000));
    await host.sendBlock(0x07, 0, echoRiscv);
    await host.ask(0x06, words(0, 0x40378000));
    expect(host.device.state).toBe('stub');
  });

  it("talks over the chip's own USB", async () => {
    // 1: lw a1, EP1_CONF; andi a1, a1, 4; beqz a1, 1b; lw a2, EP1; sw a2, EP1; li a1, 1; sw a1, EP1_CONF; j 1b
    const code = riscvWords(
      0x60043537,
      0x00452583,
      0x0045f593,
      0xfe058ce3,
      0x00052603,
      0x00c52023,
      0x00100593,
      0x00b52223,
      0xfe5ff06f,
    );
    const host = await started('esp32c3', Uint8Array.from(code), { connection: 'usb-jtag', powerUp: 'download' });
    expect(host.device.state).toBe('program');
    expect(await echoed(host, Uint8Array.of(9, 8, 7))).toBe('090807');
  });

  it('wakes the clock seldom while it only waits for bytes, and often while it works', async () => {
    const turnsOf = async (program: Uint8Array) => {
      const host = await started('esp32c3', program);
      await host.clock.advance(100);
      let turns = 0;
      const schedule = host.clock.schedule.bind(host.clock);
      host.clock.schedule = (delay, callback) => {
        turns++;
        return schedule(delay, callback);
      };
      await host.clock.advance(1_000);
      return turns;
    };
    expect(await turnsOf(echoRiscv)).toBeLessThan(150);
    expect(await turnsOf(counts)).toBeGreaterThan(900);
  });
});

describe('registers that a program accesses', () => {
  /** Runs `program` on an ESP32-C3 whose register writes go to `write`. `times` has the time of each access. */
  function run(program: readonly number[], write: (address: number, value: number) => boolean) {
    const clock = new VirtualClock();
    /** Milliseconds of simulated stalls of the computer. */
    const stalls = { sum: 0 };
    const times: number[] = [];
    const sent: number[] = [];
    let crashes = 0;
    const entry = 0x40390000;
    const around = {
      clock: {
        now: () => clock.now() + stalls.sum,
        wallTime: () => clock.wallTime() + stalls.sum,
        schedule: clock.schedule.bind(clock),
        sleep: clock.sleep.bind(clock),
      },
      timers: new TimerGroup(clock),
      memory: {
        read: () => 0,
        write: (address: number, value: number) => write(address, value),
        ramWords: () => program.map((word, index): [number, number] => [entry + index * 4, word]),
      },
      link: 'uart',
      crystal: 40,
      baudRate: 115_200,
      accessing: (time: number) => times.push(time),
      setRate: () => undefined,
      transmit: (bytes: Uint8Array) => sent.push(...bytes),
      crash: () => {
        crashes++;
      },
    } as const;
    return { clock, stalls, times, sent, crashes: () => crashes, started: programIn('esp32c3', entry, around) };
  }

  it('are accessed at the times of the program’s cycles', async () => {
    // lui a0, 0x60004; 1: sw a0, 4(a0); nop; nop; j 1b
    const { clock, times } = run([0x60004537, 0x00a52223, 0x13, 0x13, 0xff5ff06f], () => true);
    await clock.advance(1);
    // One write every four cycles of 25 ns, and none ahead of the clock.
    expect(times.length).toBeGreaterThan(5_000);
    expect(times.slice(1).every((time, index) => Math.abs(time - (times[index] ?? 0) - 0.0001) < 1e-9)).toBe(true);
    expect(times.at(-1)).toBeLessThanOrEqual(clock.now());
  });

  it('show no gap in time after a short stall of the computer, and one after a long stall', async () => {
    const { clock, stalls, times } = run([0x60004537, 0x00a52223, 0x13, 0x13, 0xff5ff06f], () => true);
    await clock.advance(2);
    const gaps = () =>
      times.slice(1).flatMap((time, index) => {
        const gap = time - (times[index] ?? 0);
        return gap > 0.001 ? [Math.round(gap)] : [];
      });
    stalls.sum += 100;
    await clock.advance(30);
    expect(gaps()).toEqual([]);
    // The program has caught up completely.
    expect(clock.now() + stalls.sum - (times.at(-1) ?? 0)).toBeLessThan(2);
    stalls.sum += 1_000;
    await clock.advance(30);
    expect(gaps()).toHaveLength(1);
    expect(clock.now() + stalls.sum - (times.at(-1) ?? 0)).toBeLessThan(2);
  });

  it('echo bytes without the delay of a long stall before them', async () => {
    const words = new Uint32Array(echoRiscv.buffer, echoRiscv.byteOffset, echoRiscv.length / 4);
    const rig = run([...words], () => true);
    await rig.clock.advance(1);
    rig.stalls.sum += 10_000;
    rig.started?.receive(Uint8Array.from({ length: 300 }, (_, index) => index & 0xff));
    await rig.clock.advance(100);
    expect(rig.sent).toEqual(Array.from({ length: 300 }, (_, index) => index & 0xff));
  });

  it('stop the program when a write resets the chip', async () => {
    let writes = 0;
    const rig = run([0x60004537, 0x00a52223, 0xffdff06f], () => {
      writes++;
      if (writes === 100) {
        rig.started?.stop();
      }
      return true;
    });
    await rig.clock.advance(10);
    rig.started?.receive(Uint8Array.of(1));
    await rig.clock.advance(10);
    expect(writes).toBe(100);
    expect(rig.crashes()).toBe(0);
  });

  it('end the program when they do not exist', async () => {
    const { clock, crashes, started } = run([0x60004537, 0x00a52223], () => false);
    await clock.advance(1);
    expect(crashes()).toBe(1);
    expect(started?.fault).toMatchObject({ pc: 0x40390004, fault: { code: 'store-refused', address: 0x60004004 } });
  });
});
