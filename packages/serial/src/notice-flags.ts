/** The byte of flags of a notice: the level in bits 0 and 1, the port in bits 2 to 4 (0: no port). */
import { type PortNumber, portNumbers } from './port-number.ts';
import type { NoticeLevel } from './timeline-rows.ts';

const levels: readonly NoticeLevel[] = ['info', 'success', 'warning', 'error'];

export function noticeFlags(level: NoticeLevel, port: PortNumber | null): number {
  return levels.indexOf(level) | ((port ?? 0) << 2);
}

export function noticeLevelOf(flags: number): NoticeLevel {
  return levels[flags & 3] ?? 'info';
}

export function noticePortOf(flags: number): PortNumber | null {
  return portNumbers.find((port) => port === flags >> 2) ?? null;
}
