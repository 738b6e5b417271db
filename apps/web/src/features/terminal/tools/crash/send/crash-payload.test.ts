import { crashLimits, NewCrashReport } from '@wirebench/contract';
import type { CrashReport, Frame, ReportedFrame, ReportedPlace, ReportedTask } from '@wirebench/symbols';
import { describe, expect, it } from 'vitest';
import { base64Of, crashFingerprint, crashPayload } from './crash-payload.ts';

const idf = '/opt/esp/esp-idf/components/esp_system/panic.c';
const id = '01978c00-0000-4000-8000-00000000aaaa';
const parts = { id, buildId: null, memory: null };

const frame = (pc: number, ...places: readonly Frame[]): ReportedFrame => ({
  pc,
  source: 'call-frames',
  sp: 0x3fc9_4b14,
  frameEnd: null,
  places: places.map((place): ReportedPlace => ({ ...place, variables: [] })),
  registers: [{ name: 'a0', value: 0xdead_beef }],
});

const task = (frames: readonly ReportedFrame[], changes: Partial<ReportedTask> = {}): ReportedTask => ({
  tcb: 0x3fc9_0000,
  name: 'sensors',
  priority: 5,
  crashed: true,
  stack: { low: 0, high: 4_096, used: 592 } as NonNullable<ReportedTask['stack']>,
  frames: [...frames],
  end: 'whole',
  memory: { address: 0x3fc9_4b14, bytes: new TextEncoder().encode('hunter2') },
  ...changes,
});

/** Returns the fingerprint that an ELF file would yield. */
const functionsOf = (tasks: readonly ReportedTask[]): string | null => {
  const places = tasks.find(({ crashed }) => crashed)?.frames.flatMap((one) => one.places) ?? [];
  const names = places.flatMap(({ name, file }) => (name === undefined || file === idf ? [] : [name]));
  return names.length === 0 ? null : names.join(' < ');
};

const report = (tasks: readonly ReportedTask[], changes: Partial<CrashReport> = {}): CrashReport => ({
  machine: 'riscv',
  chipId: 5,
  chipRevision: 4,
  checksum: 'sha256',
  inInterrupt: false,
  panicDetails: null,
  exception: { name: 'Load access fault', number: 5, sentence: null, address: 0x10 },
  appHash: '5f1c7a90b',
  fingerprint: functionsOf(tasks),
  tasks: [...tasks],
  ...changes,
});

const own = (name: string, line = 1): Frame => ({ name, file: '/home/mira/node/main/app.c', line });

describe('crash fingerprint', () => {
  const original = report([
    task([
      frame(1, { name: 'panic_abort', file: idf, line: 4 }),
      frame(2, own('read', 10)),
      frame(3, own('app_main', 20)),
    ]),
  ]);

  it('depends on the functions of the application, not on their addresses and lines', () => {
    const built = report([
      task([
        frame(7, { name: 'panic_abort', file: idf, line: 9 }),
        frame(8, own('read', 11)),
        frame(9, own('app_main', 25)),
      ]),
    ]);
    expect(crashFingerprint(built)).toBe(crashFingerprint(original));
    expect(crashFingerprint(original)).toMatch(/^[\da-f]{16}$/);
  });

  it('differs for another function, another cause, or another task that crashed', () => {
    const others = [
      report([task([frame(2, own('write')), frame(3, own('app_main'))])]),
      report([task([frame(2, own('read')), frame(3, own('app_main'))])], {
        exception: { name: 'Illegal instruction', number: 2, sentence: null, address: null },
      }),
      report([
        task([frame(2, own('write'))], { crashed: true }),
        ...original.tasks.map((one) => ({ ...one, crashed: false })),
      ]),
    ].map(crashFingerprint);
    expect(new Set([crashFingerprint(original), ...others]).size).toBe(4);
  });

  it('depends on the addresses if functions are unknown, so that it is equal within a build', () => {
    const bare = (pc: number) => crashFingerprint(report([task([frame(pc)])]));
    expect(bare(0x4200_8a3c)).toBe(bare(0x4200_8a3c));
    expect(bare(0x4200_8a3c)).not.toBe(bare(0x4200_8a40));
  });

  it('ignores numbers of the panic details, which differ from board to board', () => {
    const aborted = (at: string) =>
      crashFingerprint(
        report([task([frame(2, own('read'))])], { panicDetails: `abort() was called at PC ${at} on core 0\n` }),
      );
    expect(aborted('0x42009351')).toBe(aborted('0x42009377'));
  });
});

describe('crash payload', () => {
  it('fits the schema of the server, without memory, registers and folders of the build machine', () => {
    const payload = crashPayload(report([task([frame(0x4200_8a3c, own('read', 10))])]), parts);
    expect(NewCrashReport.parse(payload)).toEqual(payload);
    const text = JSON.stringify(payload);
    for (const secret of ['hunter2', 'mira', String(0xdead_beef), 'deadbeef']) {
      expect(text).not.toContain(secret);
    }
    expect(payload).toMatchObject({ chip: 'ESP32-C3', chipRevision: 4, build: '5f1c7a90b', memory: null });
    expect(payload).not.toHaveProperty('buildId');
  });

  it('fits the limits for any number and length of tasks and frames', () => {
    const long = 'Ünïcode::'.repeat(200);
    const deep = task(
      Array.from({ length: 128 }, (_, index) => frame(index, own(long), own(long), own(long))),
      { name: `${long}\u0000` },
    );
    const many = report(
      Array.from({ length: 60 }, (_, index) => ({ ...deep, crashed: index === 0 })),
      { panicDetails: `first\n${'x'.repeat(9_000)}` },
    );
    const payload = crashPayload(many, parts);
    expect(NewCrashReport.safeParse(payload).success).toBe(true);
    expect(payload.tasks[0]?.frames.length).toBeGreaterThan(3);
    expect(JSON.stringify(payload.tasks).length).toBeLessThanOrEqual(crashLimits.tasksLength);
  });

  it('may be almost empty', () => {
    const empty = report([], { chipId: null, chipRevision: null, exception: null, appHash: null });
    expect(NewCrashReport.safeParse(crashPayload(empty, parts)).success).toBe(true);
  });

  it('has a core dump in the encoding that the server reads', () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    const encoded = base64Of(bytes);
    expect(Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))).toEqual(bytes);
    const payload = crashPayload(report([task([])]), { ...parts, memory: encoded });
    expect(NewCrashReport.safeParse(payload).success).toBe(true);
  });
});
