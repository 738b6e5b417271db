import { describe, expect, it } from 'vitest';
import { fingerprintOf } from './crash-report.ts';

const frame = (...names: readonly (string | readonly [string, string])[]) => ({
  source: 'call-frames' as const,
  places: names.map((one) =>
    typeof one === 'string' ? { name: one, file: '/project/main/app.c', line: 7 } : { name: one[0], file: one[1] },
  ),
});

describe('a fingerprint', () => {
  it('has the first functions of the application, without those of the system', () => {
    const frames = [
      frame(['panic_abort', '/home/me/esp-idf/components/esp_system/panic.c']),
      frame('__assert_func'),
      frame(['xQueueSemaphoreTake', '/opt/esp-idf/components/freertos/queue.c']),
      frame('read_sensor'),
      frame('run_command'),
      frame('console_task'),
      frame('vPortTaskWrapper'),
    ];
    expect(fingerprintOf(frames)).toBe('read_sensor < run_command < console_task');
  });

  it('is the same for inlined calls, and at any place of the code', () => {
    const inlined = [frame('slot_value', 'filter_median'), frame('publish')];
    const called = [frame('slot_value'), frame('filter_median.constprop.0'), frame('publish.isra.0.cold')];
    expect(fingerprintOf(inlined)).toBe(fingerprintOf(called));
  });

  it.each([
    ['Range<int>::holds(int) const', 'Range::holds'],
    ['std::vector<std::pair<int, long>>::at(unsigned int)', 'std::vector::at'],
    ['read_sensor[abi:cxx11](int)', 'read_sensor'],
    ['board::Sensor::read(int)::{lambda(int)#1}::operator()(int) const', 'board::Sensor::read(int)::{lambda}'],
    ['Matrix::operator<(Matrix const&) const', 'Matrix::operator<'],
  ])('names %s as %s', (name, shown) => {
    expect(fingerprintOf([frame(name)])).toBe(shown);
  });

  it('counts a recursive function once, at any depth', () => {
    const deep = (depth: number) => [...Array.from({ length: depth }, () => frame('open_menu')), frame('console_task')];
    expect(fingerprintOf(deep(3))).toBe(fingerprintOf(deep(30)));
  });

  it('ignores guesses, and is null without a known function', () => {
    const guess = { ...frame('leftover'), source: 'scan' as const };
    expect(fingerprintOf([guess, frame('real')])).toBe('real');
    const behind = { ...frame('leftover_caller'), source: 'behind-guess' as const };
    expect(fingerprintOf([frame('real'), guess, behind])).toBe('real');
    expect(fingerprintOf([guess, { source: 'registers', places: [] }])).toBeNull();
  });

  it('is made of system functions if there are no others', () => {
    expect(fingerprintOf([frame('abort'), frame('vPortTaskWrapper')])).toBe('abort < vPortTaskWrapper');
  });
});
