import { describe, expect, it } from 'vitest';
import { readFirmwareList } from './firmware-list.tsx';

const listOf = (...releases: unknown[]) => readFirmwareList(JSON.stringify({ releases }));

describe('the list of firmware', () => {
  it('links the flasher of the family with the manifest', () => {
    const blinky = { name: 'Blinky', version: '1.2.0', chips: ['ESP32'], manifest: 'releases/blinky/manifest.json' };
    const address = 'manifest=releases%2Fblinky%2Fmanifest.json';
    expect(listOf(blinky, { ...blinky, family: 'stm' })).toEqual([
      { name: 'Blinky', version: '1.2.0', chips: ['ESP32'], address: `/esp_flasher.html?${address}` },
      { name: 'Blinky', version: '1.2.0', chips: ['ESP32'], address: `/stm_flasher.html?${address}` },
    ]);
  });

  it('requires a name and a manifest, and treats unknown families as Espressif', () => {
    expect(listOf({ name: 'Bare', manifest: 'a.json', family: 'toString' }, { name: 'No manifest' }, 7, null)).toEqual([
      { name: 'Bare', version: '', chips: [], address: '/esp_flasher.html?manifest=a.json' },
    ]);
  });

  it.each(['', '[]', '{"releases":{}}', '<html>'])('is null for %j', (text) => {
    expect(readFirmwareList(text)).toBeNull();
  });
});
