/** The files on a demo board: a web page with its picture, settings, and a log of several blocks. */
import type { LittlefsEntry } from './littlefs-image.ts';

/** 16 × 16 pixels in two colours: a flash of lightning. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAABlBMVEUMSlL/xD3ohJTDAAAAJUlEQVR42mNgAIIDDIwNDMwMDGwMDDwMDPIPQAjOlWBgMGCAAwBxTwOywsGKMAAAAABJRU5ErkJggg==';

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Bench sensor 7</title>
<img src="icon.png" alt="">
<h1>Bench sensor 7</h1>
<p><a href="log/readings.csv">Readings</a></p>
</html>
`;

const settings = `{
  "name": "Bench sensor 7",
  "interval_s": 60,
  "units": "celsius",
  "alarm": { "above": 40, "below": 5 }
}
`;

/** Lines of the log, one a minute: more than three blocks of 4096 bytes. */
const lineCount = 480;

export function demoFiles(): { readonly [name: string]: LittlefsEntry } {
  return {
    'icon.png': Uint8Array.from(atob(picture), (character) => character.charCodeAt(0)),
    'index.html': encoded(page),
    'settings.json': encoded(settings),
    log: { 'boot.txt': encoded('42 starts, last reason: power\n'), 'readings.csv': encoded(readings()) },
  };
}

function readings(): string {
  const lines = Array.from({ length: lineCount }, (_, index) => {
    const time = `${Math.floor(index / 60)}`.padStart(2, '0');
    const minute = `${index % 60}`.padStart(2, '0');
    const temperature = (210 + Math.round(25 * Math.sin(index / 40))) / 10;
    return `2026-01-05T${time}:${minute}:00Z,${temperature.toFixed(1)},${43 + (index % 7)}\n`;
  });
  return `time,temperature,humidity\n${lines.join('')}`;
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
