import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { argumentsOf, nearestTo } from './agent-arguments.ts';

const wait = ['port', 'pattern', 'since', 'timeout_s'];

describe('arguments of a tool', () => {
  it.each([
    ['timeout', wait, 'timeout_s'],
    ['timeoutS', wait, 'timeout_s'],
    ['mark', wait, 'since'],
    ['Pattern', wait, 'pattern'],
    ['patern', wait, 'pattern'],
    ['ports', wait, 'port'],
    ['port_name', wait, 'port'],
    ['baudrate', ['port', 'baud'], 'baud'],
    ['text', wait, 'pattern'],
    ['colour', wait, null],
  ])('have for %s the nearest name', (unknown, names, nearest) => {
    expect(nearestTo(unknown, names)).toBe(nearest);
  });

  it('refuse other names, and say which ones there are', () => {
    const schema = argumentsOf({ port: z.string(), since: z.number().optional() });
    expect(schema.safeParse({ port: 'x', mark: 5 }).error?.issues[0]?.message).toBe(
      'There is no argument "mark": use "since". Nothing was done. The arguments are: port, since.',
    );
    expect(argumentsOf({}).safeParse({ all: true }).error?.issues[0]?.message).toBe(
      'There is no argument "all". Nothing was done. This tool has no arguments.',
    );
    expect(schema.parse({ port: 'x' })).toEqual({ port: 'x' });
  });
});
