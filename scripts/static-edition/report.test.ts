import { expect, it } from 'vitest';
import { reportOf } from './report.ts';

const built = {
  files: 12,
  bytes: 3 * 1_048_576,
  releases: [
    { name: 'Blinky', version: '', family: 'esp', chips: ['ESP32'], manifest: 'releases/blinky/manifest.json' },
  ],
};

const linesOf = (base: string, out: string) => reportOf({ base, out, releases: null }, built, '/home/me').split('\n');

it('a folder that ends like the path on the host is tried by serving the folder above', () => {
  const lines = linesOf('/a/b/', '/home/me/dist/x/a/b');
  expect(lines).toContain('Wrote 12 files, 3.0 MB: dist/x/a/b');
  expect(lines).toContain('  firmware: Blinky for ESP32');
  expect(lines).toContain('  python3 -m http.server 8000 --bind localhost --directory "dist/x"');
  expect(lines.at(-1)).toBe('  and open http://localhost:8000/a/b/');
});

it('another folder is copied to its path first', () => {
  expect(linesOf('/tools/', '/srv/site')).toContain('  mkdir -p try/tools/ && cp -R "/srv/site/." try/tools/');
});

it('the edition of a whole host is served as it is', () => {
  expect(linesOf('/', '/home/me')).toContain('  python3 -m http.server 8000 --bind localhost --directory "."');
});
