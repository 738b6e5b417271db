import { VirtualClock } from '@wirebench/clock';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { GatheredLines } from './gathered-lines.ts';

function gathering() {
  const clock = new VirtualClock();
  const written: string[] = [];
  return { clock, written, lines: new GatheredLines({ write: (text) => written.push(text) }, clock) };
}

describe('gathered log lines', () => {
  it('are written together, a tenth of a second after the first', async () => {
    const { clock, written, lines } = gathering();
    lines.write('one\n');
    await clock.advance(60);
    lines.write('two\n');
    await clock.advance(39);
    expect(written).toEqual([]);
    await clock.advance(1);
    expect(written).toEqual(['one\ntwo\n']);
    lines.write('three\n');
    await clock.advance(100);
    expect(written).toEqual(['one\ntwo\n', 'three\n']);
  });

  it('do not wait when there are many', () => {
    const { clock, written, lines } = gathering();
    const line = `${'x'.repeat(127)}\n`;
    for (let count = 0; count < 130; count++) {
      lines.write(line);
    }
    expect(written).toEqual([line.repeat(128)]);
    expect(clock.pending).toBe(1);
  });

  it('do not hold back a warning or an error, nor what was said before it', () => {
    const { clock, written, lines } = gathering();
    const { log } = Fastify({ logger: { level: 'info', base: null, timestamp: false, stream: lines } });
    log.info('before');
    expect(written).toEqual([]);
    log.warn('odd');
    expect(written).toEqual(['{"level":30,"msg":"before"}\n{"level":40,"msg":"odd"}\n']);
    log.error('wrong');
    expect(written.at(-1)).toBe('{"level":50,"msg":"wrong"}\n');
    log.info('after');
    expect(written).toHaveLength(2);
    expect(clock.pending).toBe(1);
  });

  it('are all written before the process ends, each once', async () => {
    const { clock, written, lines } = gathering();
    lines.write('last words\n');
    lines.flush();
    lines.flush();
    await clock.advance(1_000);
    expect(written).toEqual(['last words\n']);
  });
});
