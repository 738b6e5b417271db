/** The environment of the process, extended by `.env` in the working directory. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { givenText } from '@wirebench/port/given-text';
import type { Environment } from './config.ts';

/**
 * Loads the environment. Variables that are already set win over the file. The file may be missing.
 *
 * @param environment Receives the variables of the file.
 */
export function loadEnvironment(path = '.env', environment: NodeJS.ProcessEnv = process.env): Environment {
  for (const [variable, value] of Object.entries(readVariables(path))) {
    environment[variable] ??= value;
  }
  return environment;
}

function readVariables(path: string): Environment {
  let text: string;
  try {
    text = givenText(readFileSync(path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return {};
    }
    throw error;
  }
  return parseEnv(
    text
      .replace(INVISIBLE, '')
      .replace(ASSIGNMENT, (whole: string, start: string, value?: string) =>
        value === undefined ? whole : (quoted(start, value) ?? whole),
      ),
  );
}

/** Byte order marks, no-break and zero-width spaces before a variable, as joined and copied files have them. */
const INVISIBLE = /^[\p{Z}\p{Cf}]+(?=(?:export\s+)?[\w.]+\s*=)/gmu;

/** A variable with its value, which may have several lines in quotes. The second group is a value without quotes. */
const ASSIGNMENT = /^([ \t]*(?:export[ \t]+)?[\w.]+[ \t]*=[ \t]*)(?:"[^"]*"|'[^']*'|`[^`]*`|([^\s'"`#][^\r\n]*))/gm;

/**
 * Puts a value with `#` in quotes. Otherwise Node would take the rest of it for a comment, as in a password. A `#` after
 * a blank still begins a comment. Null for values without one, and for those that contain every kind of quote.
 */
function quoted(start: string, value: string): string | null {
  const [, own = value, comment = ''] = /^(.*?)([ \t]+#.*)$/.exec(value) ?? [];
  // Node replaces `\\n` in double quotes, so they come last.
  const quote = ["'", '`', '"'].find((one) => !own.includes(one));
  return own.includes('#') && quote !== undefined ? `${start}${quote}${own.trimEnd()}${quote}${comment}` : null;
}
