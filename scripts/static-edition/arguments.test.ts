import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../build/web.ts';
import { readArguments, type StaticBuild } from './arguments.ts';

const read = (...args: string[]) => readArguments(args, '/home/me') as StaticBuild;

describe('the command line of the static edition', () => {
  it('builds for the root of the host by default', () => {
    expect(read()).toEqual({ base: '/', out: join(root, 'dist', 'static'), releases: null });
  });

  it.each([
    ['/tools/', '/tools/'],
    ['/tools', '/tools/'],
    ['tools', '/tools/'],
    ['/', '/'],
    ['/a/b-c_1.2~/', '/a/b-c_1.2~/'],
  ])('takes %s as the base %s', (text, base) => {
    expect(read('--base', text).base).toBe(base);
  });

  it.each([
    'https://example.org/tools/',
    '//tools/',
    '/a//b/',
    '/../',
    '/a/./b/',
    '/ä/',
    '/a b/',
    '/a?b/',
    'C:/Git/tools/',
  ])('refuses the base %s in a sentence', (text) => {
    expect(() => read('--base', text)).toThrow('--base must be the path of a folder on the host, such as /tools/');
  });

  it('writes a folder whose path ends like the path on the host', () => {
    expect(read('--base', '/a/b/').out).toBe(join(root, 'dist', 'static-a-b-host', 'a', 'b'));
  });

  it('resolves folders against the folder of the caller', () => {
    expect(read('--out', 'site', '--releases', '../firmware')).toMatchObject({
      out: resolve('/home/me/site'),
      releases: resolve('/home/firmware'),
    });
  });

  it('refuses an empty folder and an unknown option', () => {
    expect(() => read('--releases', ' ')).toThrow('--releases names no folder');
    expect(() => read('--bsae', '/tools/')).toThrow('--bsae');
  });

  it('shows its help', () => {
    expect(readArguments(['--help'], '/')).toBe('help');
  });
});
