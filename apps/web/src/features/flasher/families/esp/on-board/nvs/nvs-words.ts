/** Namespaces and values of known libraries in plain words. */
import type { NvsValue } from '@wirebench/flasher/esp/nvs';

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
