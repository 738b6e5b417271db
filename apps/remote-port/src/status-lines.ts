/** Formats the status of a shared bench as lines of text. */
import { describePortSettings, type PortSettings } from '@wirebench/port';
import type { RemoteGuest } from '@wirebench/remote';

export type BenchStatus = RemoteGuest['status'];
export type PortStatus = BenchStatus['ports'][number];

/** Replaces characters that move a terminal's cursor or hide text by `?`. Other people typed the names. */
export function printable(name: string): string {
  return name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
}

export function settingsOf({ settings }: PortStatus): PortSettings | null {
  return settings === null
    ? null
    : { ...settings, dataBits: settings.dataBits === '7' ? 7 : 8, stopBits: settings.stopBits === '2' ? 2 : 1 };
}

const rightText = {
  watch: 'you may watch',
  type: 'you may type',
  use: 'you may use it',
} satisfies Record<PortStatus['right'], string>;

/** Describes a port in one line: `Board (10C4:EA60), 115200 8N1, you may watch`. */
export function describePort(port: PortStatus): string {
  const { name, usbVendorId, usbProductId, present, right } = port;
  const settings = settingsOf(port);
  const ids = usbVendorId === null || usbProductId === null ? '' : ` (${hex(usbVendorId)}:${hex(usbProductId)})`;
  return [
    `${printable(name)}${ids}`,
    ...(present ? [] : ['not plugged in']),
    ...(settings === null ? [] : [describePortSettings(settings)]),
    ...(port.user === null || port.isYours ? [] : [`used by ${printable(port.user)}`]),
    rightText[right],
  ].join(', ');
}

const hex = (id: number) => id.toString(16).toUpperCase().padStart(4, '0');

/**
 * Lists the changes of one port that matter to its user, one sentence each.
 *
 * @param before Null: the port was not shared before.
 * @param now Null: the port is not shared any more.
 */
export function portChanges(number: number, host: string, before: PortStatus | null, now: PortStatus | null): string[] {
  const who = printable(host);
  if (now === null) {
    return before === null ? [] : [`Port ${number} is not shared any more.`];
  }
  if (before === null) {
    return [`Port ${number} is shared: ${describePort(now)}.`];
  }
  const lines: string[] = [];
  if (now.right !== before.right) {
    const taken = before.right === 'use' ? `${who} has taken port ${number} back. Now ` : `Port ${number}: `;
    lines.push(`${taken}${rightText[now.right]}.`);
  }
  if (now.present !== before.present) {
    lines.push(`The board at port ${number} is ${now.present ? 'plugged in again' : 'unplugged'}.`);
  }
  if (now.user !== before.user && now.user !== null && !now.isYours) {
    lines.push(`${printable(now.user)} uses port ${number}.`);
  }
  return lines;
}

/**
 * Returns commands that open the port with common programs, ready to paste.
 *
 * @param port TCP port on this computer.
 */
export function pasteLines(port: number, baudRate: number): string[] {
  const url = `rfc2217://127.0.0.1:${port}`;
  return [
    `esptool --port ${url} flash_id`,
    `idf.py -p ${url} flash monitor`,
    `pio run -t upload --upload-port ${url}`,
    `pio device monitor -p ${url} -b ${baudRate}`,
    `python -m serial.tools.miniterm ${url} ${baudRate}`,
    `putty -telnet 127.0.0.1 ${port}`,
  ];
}
