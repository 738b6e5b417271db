/** Text that the command prints after a build: what was written, and how to try it. */
import { relative, sep } from 'node:path';
import type { StaticBuild } from './arguments.ts';
import type { BuiltEdition } from './build.ts';

const mebibyte = 1_048_576;

/** @param cwd Folder that the printed paths start from. */
export function reportOf({ base, out }: StaticBuild, { files, bytes, releases }: BuiltEdition, cwd: string): string {
  return [
    `Wrote ${files} files, ${(bytes / mebibyte).toFixed(1)} MB: ${shown(out, cwd)}`,
    ...releases.map(
      ({ name, version, chips }) => `  firmware: ${[name, version].join(' ').trim()} for ${chips.join(', ')}`,
    ),
    '',
    base === '/'
      ? 'Copy its contents to the root of a web host.'
      : `Copy its contents to the folder ${base} of a web host: they work at that path alone.`,
    'Browsers open serial ports on pages that came over https, or from localhost.',
    '',
    'To try it here:',
    ...trial(base, out, cwd).map((line) => `  ${line}`),
    `  and open http://localhost:8000${base}`,
  ].join('\n');
}

/** Returns the commands that serve the folder at its path. */
function trial(base: string, out: string, cwd: string): string[] {
  const path = base.slice(0, -1).split('/').join(sep);
  if (out.endsWith(path)) {
    return [serve(shown(out.slice(0, out.length - path.length), cwd))];
  }
  return [`mkdir -p try${base} && cp -R "${shown(out, cwd)}/." try${base}`, serve('try')];
}

const serve = (folder: string) => `python3 -m http.server 8000 --bind localhost --directory "${folder}"`;

/** Returns the shorter of both paths. */
function shown(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' ? '.' : short.startsWith('..') ? path : short;
}
