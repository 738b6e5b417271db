/** Reads the conditions that `--guard` names, such as `flash=8MB,psram=yes`. */
import type { BuildGuards } from '@wirebench/contract';

const units = { kb: 1_024, mb: 1_048_576 } as const;

type Guard = keyof BuildGuards;

const readers = {
  flash: (text) => {
    const [, number, unit = ''] = /^(\d+) ?([km]b)$/i.exec(text) ?? [];
    return number === undefined
      ? null
      : { flashSize: Number(number) * units[unit.toLowerCase() as keyof typeof units] };
  },
  psram: (text) => (text === 'yes' || text === 'no' ? { psram: text === 'yes' } : null),
  revision: (text) => {
    const [, major, minor] = /^v?(\d+)\.(\d{1,2})$/i.exec(text) ?? [];
    return major === undefined ? null : { minRevision: Number(major) * 100 + Number(minor) };
  },
  connection: (text) => (text === 'usb' || text === 'uart' ? { connection: text } : null),
} as const satisfies Record<string, (text: string) => Partial<Record<Guard, unknown>> | null>;

/** Form of each condition, for the message about a wrong one. */
const forms = {
  flash: 'flash=8MB',
  psram: 'psram=yes or psram=no',
  revision: 'revision=3.1',
  connection: 'connection=usb or connection=uart',
} satisfies Record<keyof typeof readers, string>;

/** @throws Error with a message of one line. */
export function readGuards(text: string): BuildGuards {
  const guards = text.split(',').map((part) => {
    const [name = '', value = ''] = part.trim().split('=');
    const key = (Object.keys(readers) as (keyof typeof readers)[]).find((known) => known === name.trim());
    if (key === undefined) {
      throw new Error(`--guard knows ${Object.keys(readers).join(', ')}, not ${part.trim()}`);
    }
    const guard = readers[key](value.trim().toLowerCase());
    if (guard === null) {
      throw new Error(`--guard must be such as ${forms[key]}, not ${part.trim()}`);
    }
    return guard;
  });
  return Object.assign({}, ...guards);
}
