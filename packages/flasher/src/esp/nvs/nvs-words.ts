/** Sentences about an NVS partition, and known namespaces and values in plain words. */
import type { NvsValue } from './nvs-value.ts';
import type { NvsStore } from './read-nvs.ts';

interface KnownNamespace {
  readonly words: string;
  /** True: values that a library maintains. They are folded at first, and not carried over unless chosen. */
  readonly leaveAlone: boolean;
}

/**
 * Namespaces of ESP-IDF (`esp_wifi`, `esp_phy`, lwIP, Bluedroid, OpenThread), of NimBLE and of Matter
 * (`ESP32Config.cpp` of connectedhomeip).
 */
const known: Readonly<Record<string, KnownNamespace>> = {
  'nvs.net80211': { words: 'Wi-Fi of ESP-IDF', leaveAlone: false },
  misc: { words: 'Wi-Fi log level of ESP-IDF', leaveAlone: false },
  phy: { words: 'radio calibration. Better left alone', leaveAlone: true },
  dhcp_state: { words: 'last address from the router', leaveAlone: false },
  nimble_bond: { words: 'Bluetooth pairings. Better left alone', leaveAlone: true },
  nimble_cccd: { words: 'Bluetooth subscriptions. Better left alone', leaveAlone: true },
  'bt_config.conf': { words: 'Bluetooth pairings. Better left alone', leaveAlone: true },
  openthread: { words: 'Thread network. Better left alone', leaveAlone: true },
  'chip-factory': { words: 'Matter, factory data. Better left alone', leaveAlone: true },
  'chip-config': { words: 'Matter settings', leaveAlone: false },
  'chip-counters': { words: 'Matter counters. Better left alone', leaveAlone: true },
};

/** Returns null for namespaces that firmware has of its own. */
export function knownNamespace(namespace: string): KnownNamespace | null {
  return Object.hasOwn(known, namespace) ? (known[namespace] ?? null) : null;
}

/** Wi-Fi security by number (`wifi_auth_mode_t` in ESP-IDF's `esp_wifi_types_generic.h`). */
const securities = [
  'open',
  'WEP',
  'WPA-PSK',
  'WPA2-PSK',
  'WPA/WPA2-PSK',
  'WPA2-Enterprise',
  'WPA3-PSK',
  'WPA2/WPA3-PSK',
  'WAPI-PSK',
  'OWE',
] as const;

/** Wi-Fi mode by number (`wifi_mode_t`). */
const modes = ['off', 'station', 'access point', 'station and access point'] as const;

/** Returns what the number of a known key means; null for others. */
export function meaningOf(namespace: string, key: string, value: NvsValue): string | null {
  if (namespace !== 'nvs.net80211' || !('value' in value)) {
    return null;
  }
  const names = key.endsWith('.authmode') ? securities : key === 'opmode' ? modes : [];
  return names[Number(value.value)] ?? null;
}

/** Facts of a board for the explanation of an NVS that cannot be read. */
interface BoardOfNvs {
  /** Name of the partition with keys of NVS encryption; null without one. */
  readonly keysPartition: string | null;
  /** True: the flash of the board is encrypted. */
  readonly isFlashEncrypted: boolean;
}

/** Explains why there are no keys to see, as a title and a text. */
export function unreadableNvsText(
  kind: Exclude<NvsStore['kind'], 'nvs' | 'empty'>,
  { keysPartition, isFlashEncrypted }: BoardOfNvs,
): { readonly title: string; readonly text: string } {
  switch (kind) {
    case 'encrypted':
      return {
        title: 'This NVS is encrypted.',
        text: `Its pages are intact, but keys and values can only be read with the keys of the encryption${
          keysPartition === null ? '' : `, which are in the partition ${keysPartition}`
        }. Change values in the firmware. Back up and Erase work as for every partition.`,
      };
    case 'newer':
      return {
        title: 'This NVS has a newer format.',
        text: 'It was written by a version of ESP-IDF with a format after version 2. Change values in the firmware.',
      };
    case 'foreign':
      return {
        title: 'No NVS can be read here.',
        text: isFlashEncrypted
          ? 'Flash encryption is on, so this may be NVS that only the chip can read.'
          : 'The partition is listed as NVS but holds other bytes. ESP-IDF programs usually erase it when they start.',
      };
  }
}

/** Sentences about a CSV of keys. */
export const nvsCsvText = {
  withSecrets: 'Anyone with the file can read these passwords and keys.',
  withoutSecrets: 'Passwords, tokens and keys are left out. Comments in the file name them.',
  /** @param keys Keys whose value the format cannot hold, at least one. */
  leftOut: (keys: readonly { readonly namespace: string; readonly key: string }[]) =>
    `CSV cannot hold the value of ${keys.map(({ namespace, key }) => `${namespace}/${key}`).join(', ')}. Back up the partition to keep ${
      keys.length === 1 ? 'it' : 'them'
    }.`,
} as const;
