/** The demo board's complete output for a crash: the log before it, the panic and the core dump. */
import { logLine } from '../boot-log.ts';
import { backtraceLine, guruText } from '../panic.ts';
import { printedCore } from './core-file.ts';
import { crashDump } from './crash-dump.ts';
import type { CrashKind } from './scenes.ts';

const special = { PS: 0x0006_0030, SAR: 0, LBEG: 0, LEND: 0, LCOUNT: 0 } as const;

/**
 * @param kind Crash to print.
 * @param time Milliseconds since the chip started.
 */
export function crashText(kind: CrashKind, time: number): string {
  const { scene, images, elfHash, dump: bytes } = crashDump(kind);
  const [crashed] = images;
  const frames = crashed?.frames ?? [];
  const core = scene.tasks[0]?.core ?? 0;
  const dump = printedCore(bytes);
  const pc = frames[0]?.pc ?? 0;
  const registers: (readonly [string, number])[] = [
    ['PC', pc],
    ['PS', special.PS],
    ...(crashed?.registers ?? []).map((value, index) => [`A${index}`, value] as const),
    ['SAR', special.SAR],
    ['EXCCAUSE', scene.exception?.cause ?? 0],
    ['EXCVADDR', scene.exception?.address ?? 0],
    ['LBEG', special.LBEG],
    ['LEND', special.LEND],
    ['LCOUNT', special.LCOUNT],
  ];
  const backtrace = backtraceLine(frames.map(({ address, sp }) => [address, sp] as const));
  const panic =
    scene.exception === null
      ? ['', scene.said?.split('\n')[0] ?? '', '', backtrace]
      : guruText(core, scene.exception.name, registers, backtrace);
  const said = (text: string, level: 'I' | 'E' = 'I') => logLine(level, time, 'esp_core_dump_uart', text).trimEnd();
  return [
    ...scene.log.map((line) => {
      const [tag = '', ...rest] = line.split(': ');
      return logLine('E', time, tag, rest.join(': ')).trimEnd();
    }),
    ...panic,
    '',
    `ELF file SHA256: ${elfHash.slice(0, 9)}`,
    '',
    said('Print core dump to uart...'),
    ...dump,
    said('Core dump has been written to uart.'),
    'Rebooting...',
    '',
  ].join('\r\n');
}
