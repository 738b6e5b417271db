/** The byte of flags of a notice: the level in bits 0 and 1, the port in bits 2 to 4 (0: no port), the kind in bit 5. */
import { type PortNumber, portNumbers } from './port-number.ts';
import type { NoticeKind, NoticeLevel } from './timeline-rows.ts';

const levels: readonly NoticeLevel[] = ['info', 'success', 'warning', 'error'];

const BUILD = 0x20;

export function noticeFlags(level: NoticeLevel, port: PortNumber | null, kind?: NoticeKind): number {
  return levels.indexOf(level) | ((port ?? 0) << 2) | (kind === 'build' ? BUILD : 0);
}

export function noticeLevelOf(flags: number): NoticeLevel {
  return levels[flags & 3] ?? 'info';
}

export function noticePortOf(flags: number): PortNumber | null {
  return portNumbers.find((port) => port === ((flags >> 2) & 7)) ?? null;
}

export function noticeKindOf(flags: number): NoticeKind | null {
  return (flags & BUILD) === 0 ? null : 'build';
}
