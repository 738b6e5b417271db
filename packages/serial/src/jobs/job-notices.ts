/** Notices on the timeline about ended jobs. */
import type { NoticeText } from '../session-notices.ts';
import type { RepeatReport } from './repeat-message.ts';
import type { ResetMode } from './reset-board.ts';
import type { SendOutcome, SendReport } from './send-file.ts';

/** Texts by outcome. `{unsure}` is empty or says how many more bytes may have been sent. */
const sendNotices = {
  complete: ['success', 'Sent {file} to Port {port}: {sent} bytes in {seconds} s'],
  cancelled: ['info', 'Sending {file} to Port {port} was cancelled after {sent} of {total} bytes{unsure}'],
  closed: ['error', 'Sending {file} stopped because Port {port} was closed, after {sent} of {total} bytes{unsure}'],
  unreadable: [
    'error',
    'Sending {file} to Port {port} stopped after {sent} of {total} bytes: the file can no longer be read. Was it ' +
      'changed or moved? Choose it again.',
  ],
} as const satisfies Record<SendOutcome, readonly [NoticeText['level'], string]>;

export function sendNotice(
  { outcome, sent, total, unsure, duration }: SendReport,
  file: string,
  port: number,
): NoticeText {
  const [level, text] = sendNotices[outcome];
  const values: Readonly<Record<string, string>> = {
    file,
    port: `${port}`,
    sent: count(sent),
    total: count(total),
    seconds: (duration / 1_000).toFixed(1),
    unsure: unsure === 0 ? '' : `; up to ${count(unsure)} more may have been sent`,
  };
  return { level, text: text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole) };
}

/** Returns the notice; null if the user stopped the repetition and needs none. */
export function repeatNotice({ outcome, count: messages }: RepeatReport, port: number): NoticeText | null {
  return outcome === 'cancelled'
    ? null
    : {
        level: 'warning',
        text: `Repeating stopped because Port ${port} was closed, after ${count(messages)} messages`,
      };
}

const resetNotices = {
  run: 'Asked the board on Port {port} to restart, using its control lines',
  boot: 'Asked the board on Port {port} to wait in its bootloader, using its control lines',
} satisfies Record<ResetMode, string>;

export function resetNotice(mode: ResetMode, port: number): NoticeText {
  return { level: 'info', text: resetNotices[mode].replace('{port}', `${port}`) };
}

function count(value: number): string {
  return value.toLocaleString('en');
}
