import { describe, expect, it } from 'vitest';
import { lackingBrowser, lackingWords, noSerialWords, operatingSystem } from './browser-support.ts';
import { causeSystemOf, causeSystems, missingBoardCauses, missingBoardHead } from './missing-board.ts';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36', 'linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0', 'windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0', 'mac'],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile', 'other'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0', 'other'],
])('takes %s for %s', (agent, system) => {
  expect(operatingSystem(agent)).toBe(system);
});

describe('a browser without serial ports', () => {
  const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
  it.each([
    ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile', 5, 'android'],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
      5,
      'android',
    ],
    ['Mozilla/5.0 (Android 15; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0', 5, 'android'],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} Version/18.0 Mobile/15E148 Safari/604.1`,
      5,
      'iphone',
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} CriOS/156.0 Mobile/15E148 Safari/604.1`,
      5,
      'iphone',
    ],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.0 Safari/605.1.15`, 5, 'iphone'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.0 Safari/605.1.15`, 0, 'safari'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 0, 'old-firefox'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:151.0) Gecko/20100101 Firefox/151.0', 0, 'other'],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/88.0 Safari/537.36',
      10,
      'old-chromium',
    ],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36', 0, 'other'],
  ] as const)('%s with %i touch points is named: %s', (agent, touchPoints, kind) => {
    expect(lackingBrowser(agent, touchPoints)).toBe(kind);
  });

  it('names the browsers of its own phone, or says that the phone has none', () => {
    expect(lackingWords.android.what).toBe(
      'On an Android phone, Chrome, Edge, Opera and Samsung Internet can reach boards.',
    );
    expect(lackingWords.iphone.what).toBe('No browser on an iPhone or iPad can reach boards.');
    expect(Object.values(lackingWords).every(({ remedy }) => remedy.endsWith('.'))).toBe(true);
  });

  it('gets the sentence of the specification, and on a phone the next step after it', () => {
    const sentence = 'Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).';
    expect(noSerialWords(null)).toBe(sentence);
    expect(noSerialWords('iphone')).toMatch(/^Web Serial API .* \(version 89\+\)\. No browser on an iPhone/);
    expect(noSerialWords('android')).toContain(`${sentence} On an Android phone, Chrome`);
  });
});

describe('causes of a board that is not in the list', () => {
  it.each(causeSystems.flatMap(({ value }) => (['serial', 'usb'] as const).map((list) => [list, value] as const)))(
    'are three for %s on %s: cable, access, bootloader',
    (list, system) => {
      const causes = missingBoardCauses(list, system);
      expect(causes.map(({ title }) => title)).toEqual([
        'The cable carries power only',
        expect.stringMatching(/driver|may not use|has not let/),
        'The board has to be told',
      ]);
    },
  );

  it('name the drivers on Windows and the groups on Linux', () => {
    expect(missingBoardCauses('serial', 'windows')[1]?.links?.map(({ label }) => label)).toEqual([
      'CH340, CH9102',
      'CP2102',
      'FT232',
    ]);
    expect(missingBoardCauses('serial', 'linux')[1]?.commands).toContain('sudo usermod -aG dialout $USER');
    expect(missingBoardCauses('serial', 'linux')[1]?.text).toContain('uucp');
  });

  it.each(['serial', 'adapters', 'usb'] as const)(
    'are four for the list %s on a phone: cable, host, power, its own system',
    (list) => {
      const system = causeSystemOf('other', true);
      expect(missingBoardCauses(list, system).map(({ title }) => title)).toEqual([
        'The cable carries power only',
        'The phone is not the host',
        'The phone does not power the board',
        'The phone itself holds the adapter',
      ]);
      expect(missingBoardHead(list, system).text).toContain('these four, in this order');
    },
  );

  it('give way to a heading for a device without a serial port', () => {
    expect(missingBoardCauses('portless', 'phone')).toEqual([]);
    expect(missingBoardHead('portless', 'phone').title).toBe('This device has no serial port');
  });
});
